//! A scripted card.
