import { renderSVG } from 'uqr';
import { html, raw, type Html } from '../../web/html.ts';

/** A QR code as a picture, black on white in dark pages too, with the margin that readers need (ISO/IEC 18004). */
export function qrCode(text: string, label: string): Html {
  const svg = renderSVG(text, { border: 4, pixelSize: 1, ecc: 'M' });
  // Safe: the SVG contains only numbers, no part of the text.
  return html`<span class="qr" role="img" aria-label="${label}">${raw(svg)}</span>`;
}
