import { addAgents } from '../src/agents/http.ts';
import { currentId } from '../src/data/snapshot/snapshots.ts';
import { createServerContext } from '../src/kernel/http/server-context.ts';
import { openPolicy } from '../src/kernel/http/response-policy.ts';
import { Router } from '../src/kernel/http/router.ts';
import { silentLog } from '../src/kernel/log.ts';
import { StoreHolder } from '../src/lookup/current-store.ts';
import { SnapshotStore } from '../src/lookup/store/snapshot.ts';
import { checkTask, type AgentTask } from '../test/agents/agent-task.ts';
import { connectAgent } from '../test/agents/connect.ts';
import { benchData } from './bench-data.ts';

// Measures the calls of an assistant over real files (2.6 million records), by `/mcp` and the protocol's own client.

/**
 * Tasks: the user's text, the calls, and a part of the last answer, whose numbers were counted in the files, not by the
 * tools.
 */
const tasks: readonly AgentTask[] = [
  [
    '서울의 부주의 화재는 몇 건?',
    [
      ['find_datasets', { q: '화재' }],
      [
        'query_records',
        { axis: 'file_3038724', where: '발화요인대분류 = 부주의 and 시도 = 서울특별시', limit: 0 },
      ],
    ],
    /^3478 records/m,
  ],
  [
    'Fires by province',
    [
      ['find_datasets', { q: '화재' }],
      ['summarize', { axis: 'file_3038724', by: ['시도'], agg: ['count', 'sum(사망)'] }],
    ],
    /경기도 \| 10333 \|[^]*서울특별시 \| 5921 \|/,
  ],
  [
    '화재는 어떤 장소에서 많이 나?',
    [
      ['find_datasets', { q: '화재' }],
      ['summarize', { axis: 'file_3038724', by: ['장소대분류'] }],
    ],
    /주거 \| 11584/,
  ],
  [
    '강남구에서 100면이 넘는 유료 주차장',
    [
      ['find_datasets', { q: '주차장' }],
      [
        'query_records',
        {
          axis: 'file_15012896',
          where: '요금정보 = 유료 and 주차구획수 > 100',
          region: '강남구',
          select: ['주차장명', '주차구획수'],
          sort: ['-주차구획수'],
        },
      ],
    ],
    /of 2\d of the dataset/,
  ],
  [
    'Which car park has most places?',
    [
      ['find_datasets', { q: '주차장' }],
      [
        'query_records',
        {
          axis: 'file_15012896',
          sort: ['-주차구획수'],
          select: ['주차장명', '주차구획수'],
          limit: 1,
        },
      ],
    ],
    /시화공단내 도로 \| 4261/,
  ],
  [
    '무료 주차장은 몇 곳?',
    [
      ['find_datasets', { q: '주차장' }],
      ['summarize', { axis: 'file_15012896', by: ['요금정보'], agg: ['count'] }],
    ],
    /무료 \| 9038[^]*유료 \| 4747/,
  ],
  [
    '강남역(37.4979,127.0276) 500m 안의 약국',
    [
      ['find_datasets', { q: '약국' }],
      [
        'query_records',
        {
          axis: 'file_15051059',
          near: { lat: 37.4979, lon: 127.0276, radius: 500 },
          select: ['요양기관명', '주소'],
        },
      ],
    ],
    /Records 1–20 of \d+[^]*_distance/,
  ],
  [
    'Pharmacies by province',
    [
      ['find_datasets', { q: '약국' }],
      ['summarize', { axis: 'file_15051059', by: ['시도코드명'] }],
    ],
    /서울 \| 4951[^]*경기 \| 4348/,
  ],
  [
    '초등학교는 몇 곳?',
    [
      ['find_datasets', { q: '학교 주소록' }],
      ['query_records', { axis: 'file_0887805361', where: '학교급 = 초등학교', limit: 0 }],
    ],
    /^6333 records/m,
  ],
  [
    'High schools in Seoul',
    [
      ['find_datasets', { q: '교육기관' }],
      [
        'query_records',
        { axis: 'file_0887805361', where: '학교급 = 고등학교 and 시도 = 서울', limit: 0 },
      ],
    ],
    /^320 records/m,
  ],
  [
    '새우깡의 평균 가격은?',
    [
      ['find_datasets', { q: '생필품 가격' }],
      [
        'summarize',
        {
          axis: 'file_15083256',
          where: "상품명 = '농심 새우깡(90g)'",
          agg: ['count', 'avg(판매가격)', 'max(판매가격)'],
        },
      ],
    ],
    /1032 \| 1203\.66\d* \| 1400/,
  ],
  [
    'What is the dearest product?',
    [
      ['find_datasets', { q: '생필품' }],
      [
        'query_records',
        { axis: 'file_15083256', sort: ['-판매가격'], select: ['상품명', '판매가격'], limit: 1 },
      ],
    ],
    /프리미엄 산양분유 1단계\(800g\) \| 54900/,
  ],
  [
    '승강기 종류별 수',
    [
      ['find_datasets', { q: '승강기' }],
      ['summarize', { axis: 'file_15017366', by: ['승강기종류'], limit: 3 }],
    ],
    /승객용 \| 202039[^]*장애인용 \| 131116[^]*Others: \d+ groups/,
  ],
  [
    'Party votes of the 21st general election',
    [
      ['find_datasets', { q: '국회의원선거 개표' }],
      [
        'summarize',
        {
          axis: 'file_15025527',
          where: '구분 = 비례대표',
          by: ['정당'],
          agg: ['sum(득표)'],
          sort: ['-sum(득표)'],
          limit: 2,
        },
      ],
    ],
    /미래한국당 \| 9441520[^]*더불어시민당 \| 9307112/,
  ],
  [
    '2026년 설날의 음력 날짜',
    [
      ['find_datasets', { q: '음양력' }],
      [
        'query_records',
        {
          axis: 'file_15012690',
          where: '양력날짜 = 2026-02-17',
          select: ['양력날짜', '음력날짜'],
        },
      ],
    ],
    /2026-02-17 \| 2026-01-01/,
  ],
  ['한마음을 전부 찾아 줘', [['search_records', { q: '한마음' }]], /^1088 records with/m],
];

const rounds = 10;
await using holder = new StoreHolder();
void holder.replace(new SnapshotStore(benchData, currentId(benchData)!));
const router = new Router(createServerContext(silentLog), openPolicy);
addAgents(router, { holder, settings: { MARU_BASE_URL: null } });
const client = await connectAgent(router);
let tokensMost = 0;
const times: number[] = [];
for (let round = 0; round <= rounds; round++) {
  for (const task of tasks) {
    const { tokens, milliseconds } = await checkTask(client, task);
    tokensMost = Math.max(tokensMost, tokens);
    // The first round is not timed: it loads the library and the columns.
    if (round > 0) times.push(...milliseconds);
  }
}
times.sort((a, b) => a - b);
const at = (share: number): string => times[Math.floor((times.length - 1) * share)]!.toFixed(1);
const summary = `${tasks.length} tasks, ${times.length} calls, at most ${tokensMost} tokens a task`;
process.stdout.write(`${summary}\np50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms\n`);
