//! Pictures for Zinc: decoding with limits, and a bounded cache.

#![forbid(unsafe_code)]
