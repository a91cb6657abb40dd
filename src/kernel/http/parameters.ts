import { nearest } from '../nearest.ts';
import { Problem, type ParameterError } from '../problem.ts';
import { limits } from './limits.ts';
import {
  textLengthMax,
  type ChoiceParameter,
  type Route,
  type IntegerParameter,
  type Parameter,
  type PathParameter,
  type TextParameter,
  type Warning,
} from '../../contract/route.ts';
import { defaultValue } from './default-value.ts';
import { pathParameters } from './path-parameters.ts';
import { queryInUtf8, readQuery, type RawParameter } from './query.ts';

export type Values = Readonly<Record<string, string | number | undefined>>;

export interface CheckedParameters {
  readonly values: Values;
  readonly warnings: Warning[];
  /** Names in the query, decoded. */
  readonly queryNames: ReadonlySet<string>;
  /** Parameters that the route does not have; `shownName` is the name in warnings. */
  readonly unknown: readonly UnknownParameter[];
}

interface UnknownParameter {
  readonly name: string;
  readonly shownName: string;
  readonly value: string;
}

interface ParameterOptions {
  readonly path: string;
  /** `Prefer: handling=strict`: an unknown name is an error, not a warning. */
  readonly isStrict: boolean;
  /** Normalises a text parameter: NFC, trimmed, blanks collapsed. */
  readonly normalise: (text: string) => string;
}

/** Reads the parameters of a route from a request's path and query. Throws one `Problem` that names all faults. */
export function readParameters(
  route: Route,
  query: string,
  options: ParameterOptions,
): CheckedParameters {
  if (query === '' && isEmpty(route.parameters)) {
    return { values: {}, warnings: [], unknown: [], queryNames: noNames };
  }
  const queryParameters = readQuery(query);
  const values: Record<string, string | number | undefined> = {};
  const warnings: Warning[] = [];
  const errors: ParameterError[] = [];
  const dependentNames: string[] = [];
  for (const name in route.parameters) {
    const parameter = route.parameters[name]!;
    if (parameter.kind === 'path') continue;
    const raw = queryParameters.get(name);
    // Most parameters of most requests are absent.
    if (raw === undefined && !('required' in parameter)) {
      values[name] = 'default' in parameter ? parameter.default : undefined;
      if ('defaultOf' in parameter) dependentNames.push(name);
      continue;
    }
    const result = readValue(name, parameter, raw, options, warnings);
    if (typeof result === 'object') errors.push(result);
    else values[name] = result;
  }
  const unknown: UnknownParameter[] = [];
  for (const [name, raw] of queryParameters) {
    if (Object.hasOwn(route.parameters, name)) continue;
    const shownName = raw.fault === null ? echo(name) : echo(name.replaceAll('\0', ''));
    if (raw.fault === null) unknown.push({ name, shownName, value: raw.value });
    reportUnknown(name, shownName, route, options.isStrict, warnings, errors);
  }
  if (errors.length > 0) throw refusal(errors, queryParameters, query, options);
  for (const name of dependentNames) values[name] = defaultValue(route.parameters[name]!, values);
  if (route.path.includes('{')) Object.assign(values, pathParameters(route.path, options.path));
  return { values, warnings, queryNames: new Set(queryParameters.keys()), unknown };
}

function isEmpty(parameters: object): boolean {
  for (const _ in parameters) return false;
  return true;
}

const noNames: ReadonlySet<string> = new Set();

function readValue(
  name: string,
  parameter: Exclude<Parameter, PathParameter>,
  raw: RawParameter | undefined,
  options: ParameterOptions,
  warnings: Warning[],
): string | number | undefined | ParameterError {
  if (parameter.kind === 'raw') return raw?.value;
  if (raw?.isRepeated === true) return errorOf(name, reasons.repeated);
  if (raw !== undefined && raw.fault !== null) {
    return { ...errorOf(name, faultReasons[raw.fault.kind]), value: echo(raw.value) };
  }
  if (parameter.kind === 'integer') return readInteger(name, parameter, raw?.value, warnings);
  if (parameter.kind === 'choice') return readChoice(name, parameter, raw?.value);
  const text = raw?.value ?? '';
  if (parameter.isVerbatim !== true) return readText(name, parameter, options.normalise(text));
  return readText(name, parameter, text.trim() === '' ? '' : text);
}

function readChoice(
  name: string,
  parameter: ChoiceParameter,
  text: string | undefined,
): string | undefined | ParameterError {
  if (text === undefined) return parameter.default;
  const normalised = text.trim().toLowerCase();
  const choice = parameter.values.find((value) => value.toLowerCase() === normalised);
  if (choice !== undefined) return choice;
  return { ...errorOf(name, reasons.notListed), value: echo(text), allowed: parameter.values };
}

function readText(
  name: string,
  parameter: TextParameter,
  text: string,
): string | undefined | ParameterError {
  const { lengthMax = textLengthMax } = parameter;
  if (isLonger(text, lengthMax)) {
    return { ...errorOf(name, tooLong(lengthMax)), value: echo(text) };
  }
  if (text !== '') return text;
  if (parameter.required !== true) return undefined;
  return errorOf(name, reasons.missing);
}

/** Counts code points, as JSON Schema does: a character outside the basic plane is one. */
function isLonger(text: string, lengthMax: number): boolean {
  return text.length > lengthMax && [...text].length > lengthMax;
}

function readInteger(
  name: string,
  parameter: IntegerParameter,
  text: string | undefined,
  warnings: Warning[],
): number | undefined | ParameterError {
  if (text === undefined) return parameter.default;
  const isNumber = text.length <= limits.digitsMax && /^\d+$/.test(text);
  const number = isNumber ? Number(text) : Number.NaN;
  const maximum = parameter.maximum ?? limits.offsetMax;
  if (Number.isNaN(number) || (parameter.maximum === undefined && number > maximum)) {
    return { ...errorOf(name, reasons.notInteger), value: echo(text), allowed: `0–${maximum}` };
  }
  if (number <= maximum) return number;
  warnings.push({ code: `${name}_clamped`, parameter: name, requested: number, used: maximum });
  return maximum;
}

function reportUnknown(
  name: string,
  shownName: string,
  route: Route,
  strict: boolean,
  warnings: Warning[],
  errors: ParameterError[],
): void {
  const suggestion = nearest(name, Object.keys(route.parameters));
  if (strict) {
    const hint =
      suggestion === null
        ? Object.hasOwn(route.parameters, 'where')
          ? whereHint
          : { ko: '', en: '' }
        : { ko: ` ${suggestion}을(를) 뜻하셨나요?`, en: ` Did you mean ${suggestion}?` };
    errors.push({
      parameter: shownName,
      reason: {
        ko: `이 주소에 없는 매개변수입니다.${hint.ko}`,
        en: `This endpoint has no such parameter.${hint.en}`,
      },
      allowed: Object.keys(route.parameters),
    });
  } else if (warnings.length < limits.warningsMax) {
    const hint = suggestion === null ? {} : { suggestion };
    warnings.push({ code: 'unknown_parameter', parameter: shownName, ...hint });
  }
}

function refusal(
  errors: readonly ParameterError[],
  queryParameters: ReadonlyMap<string, RawParameter>,
  query: string,
  { path }: ParameterOptions,
): Problem {
  const isOnlyMissing = errors.every(({ reason }) => reason === reasons.missing);
  const code = isOnlyMissing ? 'missing_parameter' : 'invalid_parameter';
  const detail = {
    ko: errors.map(({ parameter, reason }) => `${parameter}: ${reason.ko}`).join(' '),
    en: errors.map(({ parameter, reason }) => `${parameter}: ${reason.en}`).join(' '),
  };
  const hasEucKr = [...queryParameters.values()].some(
    ({ fault }) => fault?.kind === 'bytes' && fault.korean !== null,
  );
  if (!hasEucKr) return new Problem(code, detail, { errors });
  const use = `${path}?${queryInUtf8(query)}`;
  return new Problem(
    code,
    {
      ko: `${detail.ko} EUC-KR로 인코딩한 값으로 보입니다. UTF-8 주소를 쓰세요: ${use}`,
      en: `${detail.en} The values look like EUC-KR; use the UTF-8 address: ${use}`,
    },
    { errors, extra: { use } },
  );
}

function errorOf(parameter: string, reason: ParameterError['reason']): ParameterError {
  return { parameter, reason };
}

/** Shortens a client's value, so that a crafted link cannot make an error show a text of its own. */
function echo(value: string): string {
  return value.length > limits.echoLengthMax
    ? `${value.slice(0, limits.echoLengthMax).toWellFormed()}…`
    : value;
}

const whereHint = {
  ko: ' 조건은 where에, 정렬은 sort에 씁니다.',
  en: ' Filters belong in where, orders in sort.',
};

const reasons = {
  missing: { ko: '값이 필요합니다.', en: 'A value is required.' },
  repeated: { ko: '한 번만 쓸 수 있습니다.', en: 'It may be given once only.' },
  notListed: { ko: '허용된 값이 아닙니다.', en: 'It is not one of the allowed values.' },
  notInteger: { ko: '0 이상의 정수여야 합니다.', en: 'It must be a whole number, 0 or more.' },
} as const;

function tooLong(lengthMax: number): ParameterError['reason'] {
  return {
    ko: `${lengthMax}자까지 쓸 수 있습니다.`,
    en: `It may be up to ${lengthMax} characters long.`,
  };
}

const faultReasons = {
  percent: {
    ko: '% 뒤에는 16진수 두 자리가 와야 합니다. % 자체는 %25로 씁니다.',
    en: 'A % must be followed by two hexadecimal digits; write % itself as %25.',
  },
  nul: { ko: 'NUL 문자는 쓸 수 없습니다.', en: 'A NUL character is not allowed.' },
  bytes: { ko: 'UTF-8이 아닌 바이트가 있습니다.', en: 'It has bytes that are not UTF-8.' },
} as const;
