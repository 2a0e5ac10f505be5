//! Log lines on standard error: `ZINC_LOG` takes a level (`error`, `warn`, `info`, `debug`,
//! `trace`, `off`) or tracing's directives; the default is `info`.

use tracing_subscriber::EnvFilter;

/// Starts logging, unless the program did so itself.
pub(crate) fn start() {
    let wish = std::env::var("ZINC_LOG").ok().filter(|v| !v.is_empty());
    let level = wish.unwrap_or_else(|| "info".to_owned());
    let filter = EnvFilter::try_new(&level).unwrap_or_else(|_| EnvFilter::new("info"));
    let color = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(color)
        .with_target(false)
        .without_time()
        .try_init();
}
