/** Written by build.js beside the compiled modules: the views as one script, and their style. */
export declare const SCRIPT: string;
/** As a content security policy writes it. */
export declare const SCRIPT_HASH: string;
export declare const STYLE: string;
