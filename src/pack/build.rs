//! Embeds the games anew when a file of theirs is added, removed or changed: `include_dir` alone does not see new files.

fn main() {
    for folder in ["rules", "cards", "print"] {
        println!("cargo::rerun-if-changed=../../{folder}");
    }
}
