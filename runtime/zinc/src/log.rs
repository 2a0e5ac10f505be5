//! Log lines on standard error: `ZINC_LOG` takes a level (`error`, `warn`, `info`, `debug`,
//! `trace`, `off`) or tracing's directives; the default is `info`. And the trace file: `ZINC_TRACE`
//! names it, Perfetto and Chrome open it, each thread is a track. Without it no span is ever made.

use tracing_subscriber::filter::{EnvFilter, FilterFn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};
use zinc_raster::TRACE;

/// Finishes the trace file when it is dropped.
#[must_use]
pub(crate) struct Log {
    #[cfg(feature = "trace")]
    _trace: Option<tracing_chrome::FlushGuard>,
}

/// Starts logging, unless the program did so itself.
pub(crate) fn start() -> Log {
    let lines = tracing_subscriber::registry().with(lines());
    let Some(file) = std::env::var_os("ZINC_TRACE").filter(|f| !f.is_empty()) else {
        let _ = lines.try_init();
        return Log {
            #[cfg(feature = "trace")]
            _trace: None,
        };
    };
    #[cfg(feature = "trace")]
    {
        trace(lines, std::path::Path::new(&file))
    }
    #[cfg(not(feature = "trace"))]
    {
        let _ = lines.try_init();
        tracing::error!(
            "ZINC_TRACE={}: this program was built without the feature \"trace\" of zinc",
            file.display()
        );
        Log {}
    }
}

/// Lines for people; spans are for the file alone.
fn lines<S: tracing::Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
    let wish = std::env::var("ZINC_LOG").ok().filter(|v| !v.is_empty());
    let level = wish.unwrap_or_else(|| "info".to_owned());
    let filter = EnvFilter::try_new(&level).unwrap_or_else(|_| EnvFilter::new("info"));
    let color = std::io::IsTerminal::is_terminal(&std::io::stderr());
    fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(color)
        .with_target(false)
        .without_time()
        .with_filter(FilterFn::new(|m| m.target() != TRACE))
        .with_filter(filter)
}

#[cfg(feature = "trace")]
fn trace<S>(lines: S, file: &std::path::Path) -> Log
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    // The layer itself would not say that it cannot write.
    let (layer, guard) = match std::fs::File::create(file) {
        Ok(f) => {
            let b = tracing_chrome::ChromeLayerBuilder::new().writer(std::io::BufWriter::new(f));
            b.include_args(true).build()
        }
        Err(e) => {
            let _ = lines.try_init();
            tracing::error!("ZINC_TRACE: cannot write {}: {e}", file.display());
            return Log { _trace: None };
        }
    };
    let _ = lines.with(layer.with_filter(FilterFn::new(|m| m.target() == TRACE))).try_init();
    tracing::info!("a trace of every frame is written to {}", file.display());
    Log { _trace: Some(guard) }
}
