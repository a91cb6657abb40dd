import type { Static } from 'typebox';
import { tools, type ToolName } from '../contract/tools.ts';
import { checkBody } from '../kernel/http/check-body.ts';
import { isObject } from '../kernel/json-object.ts';
import { nearestFew } from '../kernel/nearest.ts';
import { Problem } from '../kernel/problem.ts';
import type { ToolAnswer } from './answer.ts';
import type { ToolContext } from './call-endpoint.ts';
import { namingCatalogEntry } from './catalog-refusal.ts';
import { readKindly } from './kind-arguments.ts';
import { describeDataset } from './tools/describe-dataset.ts';
import { describeRegion } from './tools/describe-region.ts';
import { downloadLink } from './tools/download-link.ts';
import { findDatasets } from './tools/find-datasets.ts';
import { queryRecords } from './tools/query-records.ts';
import { searchRecords } from './tools/search-records.ts';
import { summarize } from './tools/summarize.ts';

/** Answers a call of a tool. Throws a `Problem` for arguments that the tool's entry in the contract does not describe. */
export async function answerTool(
  name: ToolName,
  given: unknown,
  context: ToolContext,
): Promise<ToolAnswer> {
  const { input } = tools[name];
  const values = readKindly(input, isObject(given) ? given : {});
  refuseUnknownNames(values, Object.keys(input.properties));
  const checked = checkBody({ body: input }, values);
  // Each function takes the arguments that the contract gives its tool.
  const answer = answers[name] as Answer;
  try {
    return await answer(checked as never, context);
  } catch (error) {
    throw await namingCatalogEntry(error, context);
  }
}

type Answer = (given: never, context: ToolContext) => ToolAnswer | Promise<ToolAnswer>;

const answers: {
  readonly [Name in ToolName]: (
    given: Static<(typeof tools)[Name]['input']>,
    context: ToolContext,
  ) => ToolAnswer | Promise<ToolAnswer>;
} = {
  find_datasets: findDatasets,
  describe_dataset: describeDataset,
  query_records: queryRecords,
  search_records: searchRecords,
  summarize,
  describe_region: describeRegion,
  download_link: downloadLink,
};

/** Refuses arguments that a tool does not have. Without a misspelt condition the tool would select all records. */
function refuseUnknownNames(values: object, known: readonly string[]): void {
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const suggestions = nearestFew(unknown, known, 3);
  const shown = unknown.slice(0, 100).toWellFormed();
  throw new Problem(
    'invalid_parameter',
    {
      ko: `${shown}: 이 도구에 없는 인자입니다. 쓸 수 있는 인자: ${known.join(', ')}.`,
      en: `This tool has no argument ${shown}. Its arguments: ${known.join(', ')}.`,
    },
    { extra: { suggestions } },
  );
}
