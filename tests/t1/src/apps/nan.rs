//! Every call of the API fed with what no app means to pass: NaN, infinities, -1, 0, huge and
//! tiny numbers, one kind after the other, a frame each.

use std::sync::Arc;
use zinc::prelude::*;
use zinc::ui::Painter;

const BAD: [f32; 9] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, -0.0, 1e30, -1e30, 1e-40];

#[derive(Default)]
pub(crate) struct Nan {
    frame: usize,
    value: f32,
    pose: Pose,
    film: Option<PictureId>,
    text: String,
}

/// A film whose picture is never there.
struct Nothing;

impl Film for Nothing {
    fn latch(&mut self, _: Duration) -> Option<Arc<Image>> {
        None
    }
    fn next_due(&self, _: Duration) -> Option<Duration> {
        None
    }
}

impl App for Nan {
    fn start(&mut self, cx: &mut Cx<'_>) {
        self.film = Some(cx.film(Nothing));
    }

    fn view(&mut self, ui: &mut Ui) {
        let v = BAD[self.frame / 2 % BAD.len()];
        self.frame += 1;
        ui.request_frame();
        ui.scroll(S.fill_parent(), |ui| {
            for style in styles(v) {
                ui.row(style, |ui| {
                    ui.text("sound").size(v).style(|_| style);
                    ui.icon(icons::CHECK, v);
                });
            }
            self.widgets(ui, v);
        });
    }
}

/// Each setter of a style alone, and all of them.
fn styles(v: f32) -> Vec<Style> {
    let s = S.fill(Accent);
    let mut all = vec![
        s.pad(v),
        s.pad_each(v, 1., v, 1.),
        s.pad_x(v),
        s.pad_y(v),
        s.gap(v),
        s.width(v),
        s.height(v),
        s.size(v, v),
        s.width_part(v),
        s.height_part(v),
        s.min_width(v),
        s.min_height(v),
        s.max_width(v),
        s.max_height(v),
        s.grow_by(v),
        s.aspect(v),
        s.pin(v, v, v, v),
        s.pin(v, FREE, FREE, v).size(20., 20.),
        s.border(v, Ink),
        s.radius(v).size(20., 20.),
        s.opacity(v).size(20., 20.),
        s.scale(v).size(20., 20.),
        s.offset(v, v).size(20., 20.),
        s.turn(v).size(20., 20.),
        s.size(20., 20.).card().radius(v).border(v, Ink),
    ];
    let whole = s.pad(v).gap(v).size(v, v).min_width(v).max_height(v).grow_by(v).radius(v);
    all.push(whole.aspect(v).border(v, Ink).opacity(v).scale(v).offset(v, v).turn(v).clip());
    all
}

impl Nan {
    fn widgets(&mut self, ui: &mut Ui, v: f32) {
        self.value = v;
        ui.slider(S.width(100.), &mut self.value, v..=v);
        self.value = v;
        ui.slider(S.width(v), &mut self.value, 0.0..=v);
        self.value = v;
        ui.slider(S, &mut self.value, f32::NAN..=1.0);
        ui.field(&mut self.text, S.width(v));
        let t = ui.spring(v) + ui.spring_with(1., v) + ui.tween(v, v) + ui.tween(1., v);
        ui.text(format_args!("{t}")).size(v).weight(0).lines(0);
        ui.text("heavy").size(1e9).weight(u16::MAX);
        self.pose = Pose { x: v, y: v, angle: v, scale: v };
        ui.canvas(S.size(40., 40.)).pose(&mut self.pose);
        let rows = [v, v, 1.0];
        ui.list(
            S.height(v).gap(v),
            &rows,
            |r| r.to_bits(),
            |ui, r| {
                ui.text(format_args!("{r}"));
            },
        );
        if let Some(film) = self.film {
            ui.picture(film, S.size(v, 20.).radius(v));
        }
        ui.canvas(S.size(v, v)).draw(v, |r, _| draw(r, v));
        ui.canvas(S.size(60., 60.).rigid()).draw(v, |r, _| draw(r, v));
        if let Some(image) = pixel() {
            ui.image(&image, S.size(v, 20.).radius(v));
            ui.image(&image, S.aspect(v)).contain();
        }
    }
}

fn pixel() -> Option<Arc<Image>> {
    Image::new(1, 1, vec![0xFFFF_FFFF].into()).ok().map(Arc::new)
}

/// Each call of a painter and of the recorder beneath it.
fn draw(r: &mut Painter<'_>, v: f32) {
    let p = Point::new(v, v);
    let sound = Point::new(10., 10.);
    r.rect(v, 0., 10., 10.).fill(Accent);
    r.rect(0., 0., v, v).radius(v).shadow(v, v, v, Color::BLACK).fill(Accent).border(v, Ink);
    r.rect(0., 0., 10., 10.).radius(v).border(v, Ink);
    r.circle(v, v, v).fill(Accent).stroke(v, Ink);
    r.circle(5., 5., v).stroke(v, Ink);
    r.line(p, sound, v, Ink);
    r.line(sound, p, 1., Ink);
    let dashes = [v, 1.];
    let stroke =
        StrokeStyle { dashes: &dashes, dash_offset: v, miter_limit: v, ..StrokeStyle::new(v) };
    let path = |b: &mut Path| {
        b.move_to(v, 0.).line_to(3., v).quad_to(v, v, 9., 9.).cubic_to(v, 1., 2., v, 3., 3.);
        b.arc(p, v, v, v);
        b.close();
    };
    r.path(path).rule(FillRule::EvenOdd).fill(Accent).stroke_with(stroke, Ink);
    let stops = [Stop::new(v, Color::BLACK), Stop::new(1., Color::WHITE)];
    r.rect(0., 0., 20., 20.).fill(Paint::linear(p, sound, &stops));
    r.rect(0., 0., 20., 20.).fill(Paint::radial(p, v, &stops));
    r.text("words", &TextStyle::new(v), p, Some(v), Ink);
    r.text("words", &TextStyle::new(12.), p, Some(v), Ink);
    if let Some(i) = pixel() {
        let boxes = Rect::new(v, v, v, v);
        r.image(&i, boxes).src(boxes).radius(v).opacity(v).draw();
        r.image(&i, Rect::new(0., 0., 9., 9.)).src(boxes).draw();
    }
    for m in [
        Matrix::translate(v, v),
        Matrix::scale(v, v),
        Matrix::rotate(v),
        Matrix { a: v, b: v, c: v, d: v, e: v, f: v },
    ] {
        r.with_matrix(m, |r| {
            r.rect(0., 0., 10., 10.).fill(Accent);
            r.text("turned", &TextStyle::new(12.), sound, None, Ink);
            r.with_clip(Rect::new(v, 0., 5., v), v, |r| {
                r.rect(0., 0., 10., 10.).fill(Ink);
            });
            r.with_layer(v, BlendMode::Multiply, |r| {
                r.rect(0., 0., 9., 9.).fill(Ink);
            });
        });
    }
    let pushed = r.recorder();
    pushed.push_clip_path(FillRule::NonZero, path);
    pushed.rect(0., 0., 5., 5.).fill(Color::BLACK);
    pushed.pop_clip();
    // One pop too many, and a push that is never popped.
    pushed.pop_clip();
    pushed.pop_layer();
    pushed.pop_matrix();
    pushed.push_layer(0.5, BlendMode::SourceOver);
}
