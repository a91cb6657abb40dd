import { districts, type District } from '../place.ts';

/** Statistics codes of the metropolitan cities, or of the 도 that five digits begin with. */
const sidoOf: Readonly<Record<string, string>> = {
  12: '36',
  21: '26',
  22: '27',
  23: '28',
  24: '12',
  25: '30',
  26: '31',
  31: '41',
  32: '51',
  33: '43',
  34: '44',
  35: '52',
  36: '12',
  37: '47',
  38: '48',
  39: '50',
};

/** Cities of the bus information service: codes and names as of 2026, before any change for 전남광주. */
export const busCities: readonly BusCity[] = readCities();

export interface BusCity {
  /** Two digits for a metropolitan city, five for a 시 or 군. */
  readonly code: string;
  /** Two names are joined by a slash where one system serves both. */
  readonly name: string;
  readonly districts: readonly District[];
}

function readCities(): BusCity[] {
  return cityLines()
    .trim()
    .split(/[,\n]/)
    .map((text) => {
      const [code = '', name = ''] = text.split(' ');
      return { code, name, districts: districtsOf(code, name) };
    });
}

function districtsOf(code: string, name: string): readonly District[] {
  const inSido = districts.filter(({ sido }) => sido.code === sidoOf[code.slice(0, 2)]);
  if (code.length === 2)
    return code === '24' ? inSido.filter((one) => one.name.endsWith('구')) : inSido;
  const names = name.split('/');
  return inSido.filter((one) => names.some((city) => one.name.startsWith(city)));
}

function cityLines(): string {
  return `
12 세종특별시,21 부산광역시,22 대구광역시,23 인천광역시,24 광주광역시,25 대전광역시/계룡시
26 울산광역시,39 제주도,31010 수원시,31020 성남시,31030 의정부시,31040 안양시,31050 부천시
31060 광명시,31070 평택시,31080 동두천시,31090 안산시,31100 고양시,31110 과천시,31120 구리시
31130 남양주시,31140 오산시,31150 시흥시,31160 군포시,31170 의왕시,31180 하남시,31190 용인시
31200 파주시,31210 이천시,31220 안성시,31230 김포시,31240 화성시,31250 광주시,31260 양주시
31270 포천시,31320 여주시,31350 연천군,31370 가평군,31380 양평군,32010 춘천시,32020 원주시/횡성군
32050 태백시,32310 홍천군,32360 철원군,32410 양양군,33010 청주시,33020 충주시,33030 제천시
33320 보은군,33330 옥천군,33340 영동군,33350 진천군,33360 괴산군,33370 음성군,33380 단양군
34010 천안시,34020 공주시,34030 보령시,34040 아산시,34050 서산시,34060 논산시,34070 계룡시
34310 금산군,34330 부여군,34340 서천군,34350 청양군,34380 태안군,34390 당진시,35010 전주시
35020 군산시,35030 익산시,35040 정읍시,35050 남원시,35060 김제시,35320 진안군,35330 무주군
35340 장수군,35350 임실군,35360 순창군,35370 고창군,35380 부안군,36010 목포시,36020 여수시
36030 순천시,36040 나주시,36060 광양시,36320 곡성군,36330 구례군,36350 고흥군,36380 장흥군
36400 해남군,36410 영암군,36420 무안군,36430 함평군,36450 장성군,36460 완도군,36470 진도군
36480 신안군,37010 포항시,37020 경주시,37030 김천시,37040 안동시,37050 구미시,37060 영주시
37070 영천시,37080 상주시,37090 문경시,37100 경산시,37320 의성군,37330 청송군,37340 영양군
37350 영덕군,37360 청도군,37370 고령군,37380 성주군,37390 칠곡군,37400 예천군,37410 봉화군
37420 울진군,37430 울릉군,38010 창원시,38030 진주시,38050 통영시,38060 사천시,38070 김해시
38080 밀양시,38090 거제시,38100 양산시,38310 의령군,38320 함안군,38330 창녕군,38340 고성군
38350 남해군,38360 하동군,38370 산청군,38380 함양군,38390 거창군,38400 합천군
`;
}
