import { codeTabs } from '../components/code-tabs.ts';
import { html, type Html } from '../html.ts';
import { formatNumber } from '../layout.ts';
import { exportTarget, type DatasetView } from './dataset-view.ts';

/** Section with sample programs, in several languages, that read the records shown on the page. */
export function codeSampleSection(view: DatasetView, total: number): Html {
  const { words, stored, language, baseUrl } = view;
  const { code } = stored.axis;
  const csv = baseUrl + exportTarget(view, 'csv', { header: 'label', bom: '0' });
  const ndjson = baseUrl + exportTarget(view, 'ndjson');
  const parquet = baseUrl + exportTarget(view, 'parquet');
  const samples = [
    { id: 'curl', name: 'curl', code: `curl -o ${code}.csv '${csv}'` },
    {
      id: 'python',
      name: 'Python',
      code: `import pandas as pd\n\nurl = '${csv}'\ndf = pd.read_csv(url, dtype=str)\nprint(df.head())`,
    },
    {
      id: 'r',
      name: 'R',
      code: `url <- '${csv}'\ndf <- read.csv(url, colClasses = "character", fileEncoding = "UTF-8", check.names = FALSE)\nhead(df)`,
    },
    {
      id: 'javascript',
      name: 'JavaScript',
      code: `const url = '${ndjson}';\nconst text = await (await fetch(url)).text();\nconst records = text.trim().split('\\n').map((line) => JSON.parse(line));`,
    },
    {
      id: 'excel',
      name: 'Excel',
      code: `let\n  file = Web.Contents("${csv}"),\n  table = Csv.Document(file, [Delimiter = ",", Encoding = 65001]),\n  named = Table.PromoteHeaders(table)\nin\n  named`,
      remark: html`<p class="quiet">${words.excelSteps}</p>`,
    },
    { id: 'duckdb', name: 'DuckDB', code: `SELECT *\nFROM read_parquet('${parquet}')\nLIMIT 10;` },
  ];
  return html`<section aria-labelledby="code">
    <h2 id="code">${words.code}</h2>
    <p class="quiet">${words.codeLead(formatNumber(total))}</p>
    ${codeTabs(words.codeName, samples, language)}
  </section>`;
}
