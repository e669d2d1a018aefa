/** A mistake the user can correct: the message names it, the hint says how. The command ends with exit code 1. */
export class UserError extends Error {
  override readonly name = "UserError";
  /** What to try; the command shows it on a line of its own. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}
