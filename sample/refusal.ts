/** What an operation refuses itself, with the code and the sentence the agency would use. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: '10' | '11', message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}
