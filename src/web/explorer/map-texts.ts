import { counted } from '../../kernel/counted.ts';

/** Texts of the map of a dataset in both languages. */
export const mapTexts = {
  ko: {
    heading: '지도',
    list: '지도에 보이는 레코드',
    listAll: '레코드',
    listNear: '가까운 순서의 레코드',
    zoomIn: '확대',
    zoomOut: '축소',
    marks:
      '작은 점은 레코드 한 건, 숫자가 든 원은 그 자리에 모인 레코드의 수입니다. 원을 누르면 확대합니다.',
    listedMarks: '초록 원의 번호는 목록의 번호입니다.',
    hereMark: '초록 고리가 거리를 재는 위치입니다.',
    whole: '전체 보기',
    here: '내 주변',
    locating: '위치를 찾는 중입니다.',
    refused:
      '위치를 알 수 없습니다. 위 칸에 장소나 주소를 쓰거나, 브라우저의 위치 권한을 허용하세요.',
    placeLabel: '장소나 주소 근처',
    placeExample: '역, 시설 이름, 도로명 주소',
    placeSearch: '가까운 순으로 보기',
    privacy:
      '누를 때만 위치를 묻습니다. 소수점 셋째 자리(약 100 m)로 반올림해 주소에만 넣고, 서버의 기록에는 남기지 않습니다.',
    keys: '끌어서 옮기고, Ctrl을 누른 채 휠을 굴리거나 두 손가락으로 확대합니다. 키보드로는 화살표, +, -를 씁니다.',
    source: (credits: string) => `바탕: ${credits}`,
    builtIn: '통계청 센서스용 행정구역경계 2018(공공누리 1유형)',
    outside: (count: string) => `좌표가 없거나 지도 밖에 있는 ${count}건은 보이지 않습니다.`,
    unplaced: (count: string) => `좌표를 읽을 수 없는 ${count}건은 뺐습니다.`,
    withWords: (q: string, count: string) => `검색어 ‘${q}’에 맞는 ${count}건 중에서`,
    withoutWords: '전체에서 찾기',
    rounded: '위치를 약 100 m로 반올림해 찾으므로, 가까운 곳끼리는 순서가 다를 수 있습니다.',
    cluster: '모여 있는 레코드',
    noName: '(이름 없음)',
    none: '이 데이터에는 좌표가 없습니다. 지역별 차트를 보세요.',
  },
  en: {
    heading: 'Map',
    list: 'Records on the map',
    listAll: 'Records',
    listNear: 'Nearest records',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    marks:
      'A small dot is one record; a circle has the number of records around it and zooms in when pressed.',
    listedMarks: 'The number in a green circle is that of the list.',
    hereMark: 'The green ring is the place that distances are measured from.',
    whole: 'Show all',
    here: 'Near me',
    locating: 'Looking for your position.',
    refused:
      'Your position is unknown. Write a place or an address above, or let the browser use your position.',
    placeLabel: 'Near a place or an address',
    placeExample: 'station, facility or street address',
    placeSearch: 'Nearest first',
    privacy:
      'Your position is read only when you press this. It is rounded to three decimals (about 100 m), stands in the address alone and is never logged.',
    keys: 'Drag to move; zoom by Ctrl and the wheel, or by two fingers. Keys: arrows, + and -.',
    source: (credits: string) => `Base: ${credits}`,
    builtIn: 'census boundaries 2018, Statistics Korea (KOGL type 1)',
    outside: (count: string) =>
      `Not shown: ${counted(count, 'record')} without coordinates or outside of the map.`,
    unplaced: (count: string) =>
      `Left out: ${counted(count, 'record')} without readable coordinates.`,
    withWords: (q: string, count: string) => `Among ${counted(count, 'record')} with “${q}”.`,
    withoutWords: 'Look in all records',
    rounded: 'The position is rounded to about 100 m, so near records may be in another order.',
    cluster: 'Records here:',
    noName: '(no name)',
    none: 'This data has no coordinates. See the chart by region.',
  },
} as const;
