export interface Anniversary {
  readonly date: string;
  readonly name: string;
}

/**
 * Memorial days of a year after 각종 기념일 등에 관한 규정 and the acts that name a day, as the astronomy
 * institute writes them. 근로자의 날 became 노동절, a holiday, in 2026 and is not here from then on.
 */
export function anniversaries(year: number): Anniversary[] {
  return dayLines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [when = '', name = '', since = '0', until = '9999'] = line.split('|');
      if (year < Number(since) || year > Number(until)) return [];
      return [{ date: dateOf(year, when), name }];
    });
}

/** `0303` is a date, `03 Wed 3` the third Wednesday of March, `10 Tue -1` the last Tuesday of October. */
function dateOf(year: number, when: string): string {
  const [month = '', weekday, count] = when.split(' ');
  if (weekday === undefined) return `${year}-${when.slice(0, 2)}-${when.slice(2)}`;
  const days = Array.from(
    { length: 31 },
    (_, at) => new Date(Date.UTC(year, Number(month) - 1, at + 1)),
  )
    .filter((day) => day.getUTCMonth() === Number(month) - 1)
    .filter((day) => weekdays[day.getUTCDay()] === weekday);
  const day = Number(count) > 0 ? days[Number(count) - 1] : days.at(Number(count));
  return (day ?? new Date(0)).toISOString().slice(0, 10);
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

// When, name, and the first and last year where the day is younger than the list or gone.
const dayLines = `
0228|2·28 민주운동 기념일
0303|납세자의 날
0308|3·8민주의거 기념일|2019
0315|3·15 의거 기념일
03 Wed 3|상공의 날
03 Fri 4|서해수호의 날
04 Fri 1|예비군의 날
0403|4·3희생자 추념일
0405|식목일
0407|보건의 날
0411|도시농업의 날
0411|대한민국임시정부 수립기념일|2019
0419|4·19 혁명 기념일
0420|장애인의 날
0421|과학의 날
0422|정보통신의 날
0425|법의 날
0428|충무공 이순신 탄신일
0501|근로자의 날||2025
0508|어버이 날
0510|유권자의 날
0511|동학농민혁명 기념일|2019
0514|식품안전의 날
0515|스승의 날
05 Mon 3|성년의 날
0518|5·18 민주화운동 기념일
0519|발명의 날
0520|세계인의 날|2022
0521|부부의 날
0531|바다의 날
0601|의병의 날
0605|환경의 날
0609|구강보건의 날
0610|6·10 민주항쟁 기념일
0624|전자정부의 날
0625|6·25 전쟁일
0626|마약퇴치의 날
0628|철도의 날
0711|인구의 날
07 Wed 2|정보보호의 날
0808|섬의 날|2020
0907|사회복지의 날
0907|곤충의 날|2019
0910|해양경찰의 날
09 Sat 3|청년의 날|2022
1001|국군의 날
1002|노인의 날
1005|세계한인의 날
1008|재향군인의 날
1010|임산부의 날
1010|정신건강의 날
1015|체육의 날
1016|부마민주항쟁 기념일|2020
10 Sat 3|문화의 날
1021|경찰의 날
1024|국제연합일
10 Tue -1|금융의 날
1028|교정의 날
1029|지방자치의 날
1103|학생독립운동 기념일
1109|소방의 날
1111|농업인의 날
1117|순국선열의 날
1119|아동학대예방의 날
1203|소비자의 날
1205|무역의 날
1205|자원봉사자의 날
1227|원자력 안전 및 진흥의 날
`;
