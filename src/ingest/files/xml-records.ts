import { isErrorCode, portalError } from './portal-error.ts';
import { isTotalName } from './record-total.ts';
import { refusalTexts } from './refusal-texts.ts';
import { treeRefusalTexts } from './tree-refusal-texts.ts';
import { FileRefused } from './refused.ts';
import {
  childrenOf,
  headerNames,
  isFact,
  isInside,
  leavesBelow,
  localName,
  type ElementCount,
  type XmlOutline,
} from './xml-outline.ts';

/**
 * Paths of the record elements. The main one is chosen by its name or else by the number of its occurrences; the others
 * are all elements outside of it that repeat, and those around it that repeat and have fields of their own.
 */
export function chooseRecords(name: string, outline: XmlOutline): readonly string[] {
  const { header, elements } = outline;
  const gatewayCode = header.get('returnReasonCode');
  const code = gatewayCode ?? header.get('resultCode') ?? null;
  const message =
    gatewayCode === undefined
      ? (header.get('resultMsg') ?? header.get('resultMessage') ?? '')
      : [header.get('errMsg'), header.get('returnAuthMsg')].filter(Boolean).join(', ');
  if (code !== null && isErrorCode(code)) {
    throw portalError(name, { code, message });
  }
  const isRow = ([path, { count, branches }]: [string, ElementCount]): boolean =>
    branches > 0 || (count > 1 && [...elements.keys()].some((key) => key.startsWith(`${path}/@`)));
  const candidates = [...elements]
    .filter(isRow)
    .sort(
      ([a, one], [b, two]) =>
        Number(isRoot(a)) - Number(isRoot(b)) ||
        nameRank(b, outline) - nameRank(a, outline) ||
        two.count - one.count ||
        a.length - b.length,
    );
  const best = candidates[0];
  if (best === undefined) {
    throw new FileRefused('not_a_table', treeRefusalTexts.xmlWithoutRows(name));
  }
  const isResponse = code !== null || header.has('headerCd');
  if (isResponse && nameRank(best[0], outline) === 0) {
    const isRepeated = best[1].count > 1 && valuesBelow(best[0], outline).length > 0;
    const single = isRepeated ? null : singleRecord(outline);
    if (single !== null) return [single];
    if (!isRepeated) {
      throw new FileRefused('no_records', refusalTexts.noRecords(name));
    }
  }
  const chosen: string[] = [];
  for (const [path, { count }] of candidates) {
    const isAround =
      chosen.some((each) => isInside(each, path)) && !hasOwnFields(path, chosen, outline);
    const isAside = path !== best[0] && (count < 2 || path.endsWith('/fields/field'));
    if (isAround || isAside || chosen.some((each) => isInside(path, each))) continue;
    chosen.push(path);
    if (chosen.length <= tablesMax) continue;
    throw new FileRefused('not_a_table', treeRefusalTexts.xmlTooManyKinds(name, tablesMax));
  }
  return chosen.map((path) => innermost(path, outline));
}

/** Maximum number of tables; the text is read once for each. */
const tablesMax = 100;

/** True if an element around the chosen records has another field beside them, apart from facts about the response. */
function hasOwnFields(path: string, chosen: readonly string[], outline: XmlOutline): boolean {
  return leavesBelow(path, chosen, outline).some((leaf) => {
    const name = localName(leaf);
    return !headerNames.test(name) && !isTotalName(name);
  });
}

/** Paths of the values below an element, without facts about the response. */
function valuesBelow(path: string, outline: XmlOutline): readonly string[] {
  return leavesBelow(path, [], outline).filter(
    (leaf) =>
      (outline.elements.get(leaf)!.hasText || leaf.includes('/@')) && !isFact(localName(leaf)),
  );
}

/** The only record of a response, whatever its name: the first element with several values; null if there is none. */
function singleRecord(outline: XmlOutline): string | null {
  let [path = ''] = outline.elements.keys();
  const values = valuesBelow(path, outline);
  for (;;) {
    const children = new Set(values.map((value) => childTowards(value, path)));
    const [only = ''] = children;
    if (children.size !== 1 || outline.elements.get(only)!.branches === 0) {
      const hasFacts = childrenOf(path, outline).some((child) => isFact(localName(child)));
      return children.size > 1 && !hasFacts && !isRoot(path) ? path : null;
    }
    path = only;
  }
}

/** The child of an element that has, or is, the element at the path `inner`. */
function childTowards(inner: string, path: string): string {
  const end = inner.indexOf('/', path.length + 1);
  return end < 0 ? inner : inner.slice(0, end);
}

/** True for the root element, which is not a record if elements repeat in it, even if it is called `data`. */
function isRoot(path: string): boolean {
  return path.lastIndexOf('/') === 0;
}

/** Follows elements that have nothing but one child, such as `<featureMember>` around `<facility>`, to the innermost. */
function innermost(path: string, outline: XmlOutline): string {
  const { elements } = outline;
  const own = elements.get(path)!;
  const children = childrenOf(path, outline);
  const [only = ''] = children;
  const child = elements.get(only);
  if (children.length !== 1 || own.hasText || child === undefined) return path;
  const isWrapped = child.count === own.count && child.branches === own.count;
  return isWrapped ? innermost(only, outline) : path;
}

/** 1 for an element with a name of records, or one that repeats in the only element with such a name; 0 for any other. */
function nameRank(path: string, outline: XmlOutline): number {
  if (isAroundRecords(path, outline)) return 0;
  const parent = path.slice(0, path.lastIndexOf('/'));
  return recordNames.test(localName(path)) || isAroundRecords(parent, outline) ? 1 : 0;
}

/** True for `<data>` around several `<list>`, without a field of its own. */
function isAroundRecords(path: string, { elements }: XmlOutline): boolean {
  if (!recordNames.test(localName(path)) || elements.get(path)?.count !== 1) return false;
  const children = [...elements].filter(
    ([each]) => isInside(each, path) && !each.includes('/', path.length + 1),
  );
  const isList = children.some(([, { count, branches }]) => count > 1 && branches > 0);
  return (
    isList && children.every(([each, { branches }]) => branches > 0 || isTotalName(localName(each)))
  );
}

const recordNames = /^(?:record|item|row|data)$/iu;
