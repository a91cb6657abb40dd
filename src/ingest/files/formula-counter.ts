/**
 * Counts the formulas of a worksheet that have no stored value, which the workbook reader leaves out. Programs other
 * than Excel write them; Excel would calculate them when it opens the file.
 */
export class FormulaCounter {
  withoutValue = 0;
  #carry = '';

  /** Adds the next bytes of the worksheet's XML. */
  write(bytes: Buffer): void {
    if (this.#carry === '' && !bytes.includes('<f')) return;
    const text = this.#carry + bytes.toString('latin1');
    let end = 0;
    for (const match of text.matchAll(formulaCell)) {
      const [cell, attributes = ''] = match;
      end = match.index + cell.length;
      // A calculated formula may be an empty text.
      if (!isText.test(attributes)) this.withoutValue += 1;
    }
    const open = text.lastIndexOf('<c ');
    this.#carry = open >= end && text.length - open < carryMax ? text.slice(open) : '';
  }
}

const formulaCell =
  /<c\s([^>]*)>\s*<f(?:\s[^>]*)?(?:\/>|>[^<]*<\/f>)\s*(?:<v\s*\/>|<v><\/v>)?\s*<\/c>/gu;
const isText = /\st="str"|^t="str"/u;
/** UTF-16 units of an incomplete cell that are kept for the next bytes; Excel's formulas have at most 8,192. */
const carryMax = 65_536;
