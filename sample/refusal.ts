/** A refusal by an operation itself, with the code and the text that the agency would use. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: '10' | '11', message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
