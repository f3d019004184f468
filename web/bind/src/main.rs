//! Writes the JavaScript by which a page calls the program: `houserule-web-bind MODULE.wasm FOLDER`. It is what the command `wasm-bindgen` does, of
//! the version that the module was built with.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = words.as_slice() else {
        eprintln!("usage: houserule-web-bind MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen.input_path(module).web(true).and_then(|bindgen| bindgen.typescript(true).remove_name_section(true).generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(wrong) => {
            eprintln!("error: {wrong:#}");
            ExitCode::from(1)
        }
    }
}
