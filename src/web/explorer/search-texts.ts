import { josa } from 'es-hangul';
import { counted } from '../../kernel/counted.ts';

/** Texts of the search page in both languages. */
export const searchTexts = {
  ko: {
    name: '마루',
    title: '검색',
    heading: (q: string) => `“${q}” 검색 결과`,
    all: '모든 데이터셋',
    searchLabel: '모든 데이터에서 검색',
    searchPlaceholder: '예: 강남구 주차장, 도서관, 설날',
    search: '검색',
    filters: '적용된 조건',
    remove: (text: string) => `조건 빼기: ${text}`,
    region: (name: string) => `지역: ${name}`,
    regionPage: (name: string) => `${name}의 모든 데이터셋`,
    whichRegion: '어느 지역인가요?',
    thisRegion: '이 지역을 찾으셨나요?',
    nearPlace: (name: string) => `${name}에서 가까운 순서로 보기`,
    parts: '결과의 종류',
    datasets: '데이터셋',
    records: '레코드',
    catalog: '포털 목록',
    noDatasets: '마루에는 이 주제의 데이터셋이 없습니다.',
    noDatasetsBut: '이 이름의 데이터셋은 없지만,',
    inDatasets: (axes: string) => `데이터셋 ${axes}개에 맞는 레코드가 있습니다.`,
    noRecords: '이 낱말이 있는 레코드가 없습니다.',
    pastEnd: '검색 결과는 이 앞에서 끝납니다.',
    firstPage: '첫 페이지 보기',
    noneInRegion: (name: string) => `${name}의 자료가 있는 것은 없어, 지역 없이 찾았습니다.`,
    noneWithWords: (name: string) =>
      `${name}의 레코드에는 이 낱말이 모두 들어 있는 것이 없어, 지역 없이 찾았습니다.`,
    amountsRead: {
      conditions: (amounts: string, read: string) =>
        `“${read}”${josa.pick(read, '으로/로')} 찾고, ‘${amounts}’${josa.pick(amounts, '은/는')} 데이터셋의 조건으로 읽었습니다.`,
      order: (amounts: string, read: string) =>
        `“${read}”${josa.pick(read, '으로/로')} 찾고, ‘${amounts}’${josa.pick(amounts, '은/는')} 데이터셋의 정렬 순서로 읽었습니다.`,
      both: (amounts: string, read: string) =>
        `“${read}”${josa.pick(read, '으로/로')} 찾고, ‘${amounts}’${josa.pick(amounts, '은/는')} 데이터셋의 조건과 순서로 읽었습니다.`,
    },
    amountsChoice: (amounts: string, read: string) =>
      `“${read}”${josa.pick(read, '으로/로')} 찾았습니다. ‘${amounts}’에 맞는 필드가 여럿이니 데이터셋 아래에서 고르세요.`,
    amountsDropped: (amounts: string, read: string) =>
      `“${read}”${josa.pick(read, '으로/로')} 찾았습니다. ‘${amounts}’에 맞는 필드가 있는 데이터셋이 없어 이 말은 뺐습니다.`,
    fieldOrders: {
      amount: ['작은 것부터', '큰 것부터'],
      date: ['오래된 것부터', '최근 것부터'],
      name: ['가나다순', '가나다 역순'],
    },
    rowsOf: (rows: string) => `${rows}건`,
    inRegion: (name: string, rows: string) => `${name} ${rows}건`,
    inRegionOf: (name: string, count: string, rows: string) => `${name} ${rows}건 중 ${count}건`,
    matching: (count: string, rows: string) => `${rows}건 중 ${count}건`,
    byDataset: '데이터셋별 레코드',
    wholeFile: (count: string) => `결과 ${count}건을 한 파일로 받기`,
    wholeFileLead:
      '여러 데이터셋의 레코드를 데이터셋 차례로 담습니다. 이름, 주소, 날짜, 좌표만 같은 열에 있고 나머지 값은 한 열에 모읍니다. 위에서 읽은 조건과 순서는 적용하지 않습니다. 한 데이터셋을 제 열과 조건, 순서 그대로 받으려면 그 데이터셋의 XLSX나 CSV를 고르세요.',
    tooManyForFile: (most: string) =>
      `한 파일에는 ${most}건까지 담습니다. 검색어를 더해 결과를 줄이거나`,
    byDatasetInstead: '데이터셋별로 받으세요.',
    more: (count: string) => `같은 이름의 레코드 ${count}건 더`,
    otherDatasets: (count: string) => `그 밖의 데이터셋 ${count}개`,
    catalogMore: (count: string) => `목록에 모두 ${count}개가 있습니다.`,
    recordsWith: (terms: string, region: string) =>
      `${region}에 있는 레코드가 없어 ${terms} 글자가 모두 있는 레코드를 보여 줍니다.`,
    recordsIn: (region: string) => `${region}에 있는 레코드입니다.`,
    recordsNamed: (text: string) =>
      `‘${text}’ 글자로 찾은 레코드입니다. 이 지역에 있는 레코드의 수와 다를 수 있습니다.`,
    datasetsIn: (region: string, rows: string) =>
      `${region}에 있는 레코드 ${rows}건이 든 데이터셋입니다. 지역 코드표는 세지 않습니다.`,
    byDatasetBeside: (text: string) => `그 밖에 ‘${text}’ 글자가 있는 데이터셋`,
    withText: (text: string) => `지역과 상관없이 ‘${text}’ 글자로 찾기`,
    sampleCatalog: '예시 목록입니다. 실제 포털의 목록이 아닙니다.',
    compare: '두 지역 비교',
    chartBy: (word: string) => `${word}로 보기`,
    byWords: (q: string) => `‘${q}’${josa.pick(q, '이/가')} 들어 있는 레코드 모두`,
    map: '지도',
    mapNear: '지도에서 내 주변 보기',
    mapNearPlace: (place: string) => `지도에서 ${place} 근처 보기`,
    nearest: (place: string) => `${place}에서 가까운 것부터`,
    placed: (place: string, read: string) =>
      `“${read}”${josa.pick(read, '을/를')} 찾았습니다. 데이터셋과 지도를 열면 ‘${place}’에서 가까운 순서로 나옵니다.`,
    notPlaced: (place: string, read: string) =>
      `“${read}”${josa.pick(read, '으로/로')} 찾았습니다. 아래 데이터셋에는 좌표가 없어 ${place}에서 가까운 순서로 볼 수 없습니다.`,
    manyRows: '여러 건',
    nameOnce: (lines: string) => `이름이 같은 레코드는 한 번만 나와서 목록은 ${lines}줄입니다.`,
    inCatalog: (q: string, count: string) =>
      `“${q}”: 보유한 데이터에는 없고, 포털 목록에 ${count}건 있습니다.`,
    readInstead: (read: string) => `아래는 “${read}”${josa.pick(read, '으로/로')} 찾은 결과입니다.`,
    grouped: (word: string, read: string) =>
      `“${read}”${josa.pick(read, '으로/로')} 찾았습니다. 데이터셋의 ‘${word}로 보기’에서 차트를 볼 수 있습니다.`,
    notGrouped: (word: string, read: string) =>
      `“${read}”${josa.pick(read, '으로/로')} 찾았습니다. 아래 데이터셋에는 ‘${word}’로 나눌 필드가 없습니다.`,
    groupedInCatalog: (word: string, read: string, count: string) =>
      `포털 목록에서 ‘${read}’${josa.pick(read, '와/과')} ‘${word}’${josa.pick(word, '이/가')} 함께 적힌 자료는 ${count}건입니다.`,
    corrected: (read: string) => `“${read}”${josa.pick(read, '으로/로')} 고쳐 찾았습니다.`,
    shortened: (read: string) => `“${read}”${josa.pick(read, '으로/로')} 찾았습니다.`,
    mapped: (read: string) =>
      `“${read}”${josa.pick(read, '으로/로')} 찾았습니다. 데이터셋의 ‘지도에서 내 주변 보기’를 누르면 가까운 순서로 봅니다.`,
    notMapped: (read: string) =>
      `“${read}”${josa.pick(read, '으로/로')} 찾았습니다. 아래 데이터셋에는 좌표가 없어 가까운 순서로 볼 수 없습니다.`,
    none: (q: string) => `“${q}”에 맞는 데이터가 없습니다.`,
    noneHelp: '낱말을 줄이거나 다른 이름으로 찾아보세요.',
    readAs: (typed: string, read: string) =>
      `“${typed}”에 맞는 데이터가 없어 “${read}”${josa.pick(read, '으로/로')} 찾았습니다.`,
    asTyped: (typed: string) => `“${typed}” 그대로 보기`,
    tryInstead: '이런 검색어는 어떠세요?',
    pages: '검색 결과 페이지',
    previous: '‹ 이전',
    next: '다음 ›',
    place: (from: string, to: string, total: string) => `${from}–${to} / ${total}`,
    topic: (name: string) => `주제: ${name}`,
    orders: { largest: '큰 것부터', newest: '새것부터', title: '이름순' },
    orderLabel: '순서',
    counts: (axes: string, rows: string) => `데이터셋 ${axes}개, 레코드 ${rows}건`,
    ofSample: (count: string) => `(이 가운데 ${count}개는 예시 데이터)`,
    fields: (count: string) => `필드 ${count}개`,
    asOf: (date: string) => `기준일 ${date}`,
    until: (date: string) => `${date}까지의 자료`,
    collected: (date: string) => `작성일 모름 (가져온 날 ${date})`,
  },
  en: {
    name: 'Maru',
    title: 'Search',
    heading: (q: string) => `Results for “${q}”`,
    all: 'All datasets',
    searchLabel: 'Search all data',
    searchPlaceholder: 'e.g. 강남구 주차장, 도서관, 설날',
    search: 'Search',
    filters: 'Filters in use',
    remove: (text: string) => `Remove the filter ${text}`,
    region: (name: string) => `Region: ${name}`,
    regionPage: (name: string) => `All datasets of ${name}`,
    whichRegion: 'Which region?',
    thisRegion: 'Did you mean this region?',
    nearPlace: (name: string) => `Nearest to ${name} first`,
    parts: 'Kinds of results',
    datasets: 'Datasets',
    records: 'Records',
    catalog: 'Portal catalog',
    noDatasets: 'Maru has no dataset about this.',
    noDatasetsBut: 'No dataset has this name.',
    inDatasets: (axes: string) => `Matching records are in ${counted(axes, 'dataset')}.`,
    noRecords: 'No record has these words.',
    pastEnd: 'The results end before this page.',
    firstPage: 'See the first page',
    noneInRegion: (name: string) => `None of them has data of ${name}; these are for all regions.`,
    noneWithWords: (name: string) =>
      `No record of ${name} has all of these words; these are for all regions.`,
    amountsRead: {
      conditions: (amounts: string, read: string) =>
        `These are the results for “${read}”; “${amounts}” is read as a condition of the dataset.`,
      order: (amounts: string, read: string) =>
        `These are the results for “${read}”; “${amounts}” is read as an order of the dataset.`,
      both: (amounts: string, read: string) =>
        `These are the results for “${read}”; “${amounts}” is read as a condition and an order of the dataset.`,
    },
    amountsChoice: (amounts: string, read: string) =>
      `These are the results for “${read}”. Several fields fit “${amounts}”: choose one below the dataset.`,
    amountsDropped: (amounts: string, read: string) =>
      `These are the results for “${read}”. No dataset here has a field that fits “${amounts}”, so these words are left out.`,
    fieldOrders: {
      amount: ['smallest first', 'largest first'],
      date: ['oldest first', 'latest first'],
      name: ['in order', 'in reverse order'],
    },
    rowsOf: (rows: string) => counted(rows, 'record'),
    inRegion: (name: string, rows: string) => `${counted(rows, 'record')} in ${name}`,
    inRegionOf: (name: string, count: string, rows: string) =>
      `${count} of ${counted(rows, 'record')} in ${name}`,
    matching: (count: string, rows: string) => `${count} of ${counted(rows, 'record')}`,
    byDataset: 'Records by dataset',
    wholeFile: (count: string) => `Download ${counted(count, 'result')} in one file`,
    wholeFileLead:
      'Records of several datasets, one dataset after the other. They share columns for name, address, date and position; all other values are in one column. Conditions and orders that were read from the query do not apply. For one dataset with its own columns, conditions and order, choose XLSX or CSV beside it.',
    tooManyForFile: (most: string) =>
      `One file has up to ${most} results. Add a word for fewer results, or`,
    byDatasetInstead: 'download each dataset.',
    more: (count: string) => `${count} more of the same name`,
    otherDatasets: (count: string) => counted(count, 'other dataset'),
    catalogMore: (count: string) => `The catalog has ${count} of them.`,
    recordsWith: (terms: string, region: string) =>
      `No such record lies in ${region}; these have the words ${terms}.`,
    recordsIn: (region: string) => `These records lie in ${region}.`,
    recordsNamed: (text: string) =>
      `Records found by the text “${text}”. Their number may differ from that of records in the region.`,
    datasetsIn: (region: string, rows: string) =>
      `Datasets with ${counted(rows, 'record')} in ${region}. Lists of region codes are not counted.`,
    byDatasetBeside: (text: string) => `Other datasets with “${text}”`,
    withText: (text: string) => `Search for the text “${text}” in all regions`,
    sampleCatalog: 'This is a sample, not the catalog of the portal.',
    compare: 'Compare the two regions',
    chartBy: (word: string) => `Chart ${word}`,
    byWords: (q: string) => `All records with “${q}”`,
    map: 'Map',
    mapNear: 'See what is near me on a map',
    mapNearPlace: (place: string) => `See what is near ${place} on a map`,
    nearest: (place: string) => `nearest to ${place} first`,
    placed: (place: string, read: string) =>
      `These are the results for “${read}”. A dataset and its map open with the records nearest to “${place}” first.`,
    notPlaced: (place: string, read: string) =>
      `These are the results for “${read}”. The datasets below have no coordinates, so nothing shows what is near ${place}.`,
    manyRows: 'many records',
    nameOnce: (lines: string) =>
      `Records of one name are listed once, so the list has ${lines} entries.`,
    inCatalog: (q: string, count: string) =>
      `“${q}” is not held here; the portal’s catalog has ${counted(count, 'dataset')} for it.`,
    readInstead: (read: string) => `These are the results for “${read}”.`,
    grouped: (word: string, read: string) =>
      `These are the results for “${read}”. “Chart ${word}” below a dataset opens its chart.`,
    notGrouped: (word: string, read: string) =>
      `These are the results for “${read}”. The datasets below have no field for “${word}”.`,
    groupedInCatalog: (word: string, read: string, count: string) =>
      `The portal’s catalog has ${counted(count, 'dataset')} with both “${read}” and “${word}”.`,
    corrected: (read: string) => `The query is read as “${read}”.`,
    shortened: (read: string) => `These are the results for “${read}”.`,
    mapped: (read: string) =>
      `These are the results for “${read}”. “See what is near me on a map” below a dataset has the nearest first.`,
    notMapped: (read: string) =>
      `These are the results for “${read}”. The datasets below have no coordinates, so nothing shows what is near.`,
    none: (q: string) => `Nothing matches “${q}”.`,
    noneHelp: 'Try fewer or other words.',
    readAs: (typed: string, read: string) =>
      `Nothing matches “${typed}”. These are the results for “${read}”.`,
    asTyped: (typed: string) => `See “${typed}” as it was typed`,
    tryInstead: 'These searches have results, too:',
    pages: 'Result pages',
    previous: '‹ Previous',
    next: 'Next ›',
    place: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
    topic: (name: string) => `Topic: ${name}`,
    orders: { largest: 'Largest first', newest: 'Newest first', title: 'By title' },
    orderLabel: 'Order',
    counts: (axes: string, rows: string) =>
      `${counted(axes, 'dataset')} with ${counted(rows, 'record')}`,
    ofSample: (count: string) => `(${count} of them sample data)`,
    fields: (count: string) => counted(count, 'field'),
    asOf: (date: string) => `as of ${date}`,
    until: (date: string) => `data until ${date}`,
    collected: (date: string) => `date unknown (fetched on ${date})`,
  },
} as const;
