// What wasm-bindgen makes of the program.
declare module "houserule-wasm" {
  export default function init(given: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  export class Program {
    constructor(notify: (json: string) => void);
    write(path: string, text: string): void;
    lsp_work(): boolean;
  }
}
declare const KEYWORDS: string[];
