/** Written by build.js beside the compiled modules: the views as one script, and their style. */
export declare const SCRIPT: string;
export declare const STYLE: string;
