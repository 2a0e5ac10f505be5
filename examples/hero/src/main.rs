//! Hero, the program; the app itself is in the library beside it.

fn main() -> zinc::Exit {
    zinc::run(hero::Hero::default())
}
