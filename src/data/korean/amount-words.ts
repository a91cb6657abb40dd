/** The conditions and the order in a query (100면 이상, 많은 순), and the rest of the query. */
export interface AmountWords {
  readonly conditions: readonly AmountCondition[];
  readonly order: AmountOrder | null;
  /** The words of the conditions and of the order as typed, joined by blanks. */
  readonly text: string;
  readonly rest: string;
}

export interface AmountCondition {
  readonly test: 'from' | 'to' | 'above' | 'below';
  /** A number in digits. */
  readonly value: string;
  readonly unit: string | null;
  readonly text: string;
}

export interface AmountOrder {
  readonly by: 'amount' | 'date' | 'name';
  /** Null for groups that are named without an order, as in 어느 구 공원. */
  readonly isDescending: boolean | null;
  /** 원 for an order by price. */
  readonly unit: string | null;
  /** The groups to order (sigungu in 가장 많은 시군구, month in 가장 많은 달); null to order records. */
  readonly groups: 'sido' | 'sigungu' | 'year' | 'month' | null;
  readonly text: string;
}

/** Reads the conditions and the order in a query; null if it has neither, or no other words. */
export function readAmountWords(query: string): AmountWords | null {
  if (/["“”]/.test(query)) return null;
  const conditions: AmountCondition[] = [];
  let order: AmountOrder | null = null;
  const withoutConditions = query.replace(
    comparison,
    (text, digits: string, factor: string | undefined, unit: string | undefined, word: string) => {
      if (conditions.length === conditionsMax) return text;
      const number = Number(digits.replaceAll(',', '')) * (factors[factor ?? ''] ?? 1);
      conditions.push({ test: tests[word]!, value: String(number), unit: unit ?? null, text });
      return '';
    },
  );
  const named = readNamedGroups(withoutConditions);
  if (named !== null) order = named.order;
  const withoutSuperlative = (named?.rest ?? withoutConditions).replace(
    superlative,
    (text, ...found: unknown[]) => {
      if (order !== null) return text;
      const [word, group] = [found[0] ?? found[2], found[1] ?? found[3]];
      order = orderOf(String(word), typeof group === 'string' ? group : null, text);
      return '';
    },
  );
  const withoutOrder = withoutSuperlative.replace(sortOrder, (text, word: string) => {
    if (order !== null) return text;
    order = orderOf(word, null, text);
    return '';
  });
  const rest = withoutOrder.replace(labelOrder, (text, label: string) => {
    if (order !== null) return text;
    const unit = unitsOfLabels[label] ?? null;
    order = { ...orderOf(/[날일]/.test(label) ? '최신' : '많은', null, text), unit };
    // A label without a unit of its own still names the field.
    return unit === null && order.by === 'amount' ? label : '';
  });
  const texts = [...conditions, ...(order === null ? [] : [order])];
  const others = rest.replaceAll(/ +/g, ' ').trim();
  if (texts.length === 0 || others === '') return null;
  return { conditions, order, text: texts.map(({ text }) => text).join(' '), rest: others };
}

const conditionsMax = 4;

const factors: Readonly<Record<string, number>> = { 천: 1e3, 만: 1e4, 억: 1e8 };
const tests: Readonly<Record<string, AmountCondition['test']>> = {
  이상: 'from',
  이하: 'to',
  초과: 'above',
  넘는: 'above',
  넘은: 'above',
  많은: 'above',
  미만: 'below',
  적은: 'below',
};

/** 100 이상, 1만 원 이하, 100대가 넘는, 100면보다 많은. */
const comparison = new RegExp(
  String.raw`(?<!\S)(\d{1,3}(?:,\d{3})+|\d{1,15}(?:\.\d{1,9})?) ?([천만억])? ?` +
    '(면|대|명|인|원|건|개소|개|곳|층|석|병상|세대|가구|㎡|km|m|%)?(?:이|가|을|를|보다)? ?' +
    String.raw`(이상|이하|초과|미만|넘는|넘은|많은|적은)(?:인(?: ?곳)?|의)?(?!\S)`,
  'g',
);

const orderWords = '많은|적은|큰|작은|높은|낮은|비싼|싼|저렴한|최신|최근|오래된|이름|가나다';
const groups = '시도|광역시|시군구|자치구|지역|도시|구|군|달|월|해|연도|년도';

/** 가장 많은, 제일 적은 시도, 많은 구. */
const superlative = new RegExp(
  String.raw`(?<!\S)(?:(?:가장|제일) ?(${orderWords})(?: ?(?:(${groups})|곳|데))?|(${orderWords}) (${groups}))(?:은|는|이|가)?(?: 언제[가-힣]*| 어디[가-힣]*)?[?？]?(?!\S)`,
);

/** 어느 달에 화재가 가장 많이 났나요: the groups, and at the end of the query their order. */
const groupWord =
  /(?<!\S)(?:어느|무슨|어떤|몇) ?(시도|시군구|자치구|지역|도시|구|군|달|월|해|연도|년도|년)(?:에서|에|이|가|의|은|는)?(?!\S)/;
/** Endings of the adjective: a noun may begin with one, as 적십자병원 and 작은도서관 do. */
const endings =
  '이|은|게|나|나요|은가|은가요|은지|을까|을까요|아|아요|[았었]나|[았었]나요|[았었]을까|[았었]을까요|지|까|까요|가|가요|다';
const orderAtEnd = new RegExp(
  String.raw`(?<!\S)(?:(?:가장|제일) ?)?(많|적|높|낮|크|큰|작|비싸|비싼|싸|싼)(?:${endings})?(?: (?:났|나|일어|발생|있)[가-힣]*)?[?？]?$`,
);
const attributives: Readonly<Record<string, string>> = { 크: '큰', 비싸: '비싼', 싸: '싼' };

/** The order of the groups that 어느 names; null for a text without it. */
function readNamedGroups(query: string): { order: AmountOrder; rest: string } | null {
  const found = groupWord.exec(query);
  if (found === null) return null;
  const withoutWord = query.replace(groupWord, '').trim();
  const end = orderAtEnd.exec(withoutWord);
  const text = [found[0], end?.[0]].filter((part) => part !== undefined).join(' ');
  const stem = end?.[1] ?? '많';
  const word = attributives[stem] ?? stem;
  const order = orderOf(word, found[1]!, text);
  return {
    order: end === null ? { ...order, isDescending: null } : order,
    rest: withoutWord
      .replace(orderAtEnd, '')
      .replace(/[?？]$/, '')
      .trim(),
  };
}

/** 많은 순, 최신순으로, 이름순. */
const sortOrder = new RegExp(
  String.raw`(?<!\S)(${orderWords}) ?(?:순|순서|순서대로|순서로|순으로|것부터|곳부터)(?!\S)`,
);

/** 면수순, 요금순으로, 날짜순. */
const labelOrder =
  /(?<!\S)([가-힣]{0,4}(?:수|면적|인구|인원|요금|금액|가격|높이|길이|크기|날짜|일자)) ?(?:순|순서|순서대로|순서로|순으로)(?!\S)/;

const unitsOfLabels: Readonly<Record<string, string>> = {
  면수: '면',
  구획수: '면',
  대수: '대',
  건수: '건',
  횟수: '건',
  개수: '개',
  층수: '층',
  세대수: '세대',
  가구수: '가구',
  병상수: '병상',
  인구: '명',
  인구수: '명',
  인원: '명',
  인원수: '명',
  요금: '원',
  금액: '원',
  가격: '원',
  면적: '㎡',
};

function orderOf(word: string, group: string | null, text: string): AmountOrder {
  return {
    by: /[신근]$|^오/.test(word) ? 'date' : /^[이가]/.test(word) ? 'name' : 'amount',
    isDescending: /^(?:많|큰|높|비|최)/.test(word),
    unit: /^(?:비|싼|저)/.test(word) ? '원' : null,
    groups: group === null ? null : groupOf(group),
    text,
  };
}

function groupOf(word: string): Exclude<AmountOrder['groups'], null> {
  if (/^[달월]$/.test(word)) return 'month';
  if (/^(?:해|연도|년도?)$/.test(word)) return 'year';
  return /^(?:시도|광|지)/.test(word) ? 'sido' : 'sigungu';
}
