import type { FileLimits } from './limits.ts';
import { isTotalName } from './record-total.ts';
import { treeRefusalTexts } from './tree-refusal-texts.ts';
import { FileRefused } from './refused.ts';
import type { ByteSource } from './source.ts';
import type { Encoding } from './table.ts';
import { walkXml } from './xml-reader.ts';

/** Counts of the elements at one path. */
export interface ElementCount {
  count: number;
  /** Number of occurrences with child elements. */
  branches: number;
  /** True if an occurrence has text of its own. */
  hasText: boolean;
}

/** Result of the first pass over an XML text. */
export interface XmlOutline {
  /** Every path from the root, attributes as `/@name`, in order of first appearance. */
  readonly elements: ReadonlyMap<string, ElementCount>;
  /** Names in the portal's `fields`, in their order. */
  readonly fields: readonly string[];
  /** Code and message in the header of the response, by element name. */
  readonly header: ReadonlyMap<string, string>;
  /** Declared numbers of records, by path. */
  readonly totals: ReadonlyMap<string, string>;
  readonly mended: number;
}

/** First pass over an XML text: collects the paths of its elements, and the facts of a response. */
export async function outlineXml(
  source: ByteSource,
  encoding: Encoding,
  limits: FileLimits,
): Promise<XmlOutline> {
  const elements = new Map<string, ElementCount>();
  const fields: string[] = [];
  const header = new Map<string, string>();
  const totals = new Map<string, string>();
  const elementAt = (path: string): ElementCount => {
    const element = elements.get(path) ?? { count: 0, branches: 0, hasText: false };
    elements.set(path, element);
    if (elements.size > pathsMax) {
      throw new FileRefused('not_a_table', treeRefusalTexts.xmlWithoutRepeats(source.name));
    }
    return element;
  };
  const walk = walkXml(source, encoding, limits, {
    open(path, attributes) {
      elementAt(path).count += 1;
      for (const name of Object.keys(attributes)) {
        if (!syntaxNames.test(name)) elementAt(`${path}/@${name}`).count += 1;
      }
    },
    close(path, text, isLeaf) {
      const element = elementAt(path);
      element.hasText ||= text.trim() !== '';
      if (!isLeaf) element.branches += 1;
      else if (path.endsWith('/fields/field')) fields.push(text.trim());
      else if (element.count > 1) return;
      else if (headerNames.test(localName(path))) header.set(localName(path), text.trim());
      else if (isTotalName(localName(path))) totals.set(path, text.trim());
    },
  });
  let step = await walk.next();
  while (step.done !== true) step = await walk.next();
  return { elements, fields, header, totals, mended: step.value };
}

const pathsMax = 20_000;
/** Attributes that belong to XML and are not data, such as `xsi:nil`. */
const syntaxNames = /^(?:xmlns|xsi:)/u;
/** Names of the codes and messages in the header of a response. */
export const headerNames =
  /^(?:resultCode|resultMsg|resultMessage|returnReasonCode|returnAuthMsg|errMsg|headerCd|headerMsg)$/u;
/** Names of facts about a response, beside its header and its total. */
const factNames =
  /^(?:numOfRows|pageNo|pageIndex|pageSize|perPage|dataType|queryTime|itemCount)$/iu;

/** True if the element at a path is below another one. */
export function isInside(path: string, outer: string): boolean {
  return path.startsWith(`${outer}/`);
}

/** Paths of the children and attributes of an element. */
export function childrenOf(path: string, { elements }: XmlOutline): string[] {
  return [...elements.keys()].filter(
    (each) => isInside(each, path) && !each.includes('/', path.length + 1),
  );
}

/** Paths of elements and attributes with text below an element, outside of the records nested in it. */
export function leavesBelow(
  outer: string,
  nested: readonly string[],
  { elements }: XmlOutline,
): readonly string[] {
  return [...elements].flatMap(([path, { count, branches }]) => {
    const isNested = nested.some((each) => path === each || isInside(path, each));
    return isInside(path, outer) && branches < count && !isNested ? [path] : [];
  });
}

/** True for the name of a fact about a response: its status, total or page. */
export function isFact(name: string): boolean {
  return headerNames.test(name) || isTotalName(name) || factNames.test(name);
}

/** Name of an element without the prefix of its namespace. */
export function localName(path: string): string {
  return lastName(path).replace(/^.*:/u, '');
}

/** Name of an element, with its prefix. */
export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
