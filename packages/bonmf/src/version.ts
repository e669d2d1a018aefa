/** The library's version, kept in every model file. */
export const VERSION = "0.1.0";
