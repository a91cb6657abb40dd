import { html, type Html } from '../html.ts';

/** A telephone number that calls it (RFC 3966); text alone without an area code, or with more than one number. */
export function phoneLink(text: string): Html {
  return national.test(text)
    ? html`<a href="tel:${text.replaceAll(/\D/g, '')}">${text}</a>`
    : html`${text}`;
}

/** `02-558-0803`, `(051) 516-8855`, `1588-0000`. */
const national = /^\(?(?:0\d{1,3}\)?[-. ]?\d{3,4}|1[5-8]\d{2})[-. ]?\d{4}$/;
