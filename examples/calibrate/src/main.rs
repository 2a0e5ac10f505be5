//! The program: it prints the matrix, as zinc.json writes it, when the last cross was touched.

fn main() -> zinc::Exit {
    zinc::run(calibrate::Calibrate::new(|fit| println!("{}", calibrate::json(fit))))
}
