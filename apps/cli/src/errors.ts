/** Something the user can put right: the message names it and says how. Ends the command with exit code 1. */
export class UserError extends Error {
  override readonly name = "UserError";
  /** One more line, shown apart: what to try. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
