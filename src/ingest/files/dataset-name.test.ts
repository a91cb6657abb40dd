import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datasetOfFileName } from './dataset-name.ts';

const none = {
  titleSource: 'name',
  referenceDate: null,
  impossibleDate: null,
  part: null,
  portalId: null,
};

const names: readonly (readonly [name: string, expected: object])[] = [
  [
    '인천광역시 중구_공영주차장 현황_20250601.csv',
    { ...none, title: '인천광역시 중구_공영주차장 현황', referenceDate: '2025-06-01' },
  ],
  [
    '제주특별자치도+제주시_무더위쉼터현황_20150931.xml',
    { ...none, title: '제주특별자치도 제주시_무더위쉼터현황', impossibleDate: '20150931' },
  ],
  [
    '국적별 매출 정보_12_31_2010.csv',
    { ...none, title: '국적별 매출 정보', referenceDate: '2010-12-31' },
  ],
  [
    '공공자전거 대여소 정보(22.06월 기준).csv',
    { ...none, title: '공공자전거 대여소 정보', referenceDate: '2022-06' },
  ],
  [
    '아파트(매매)__실거래가_20180513144733.csv',
    { ...none, title: '아파트(매매)__실거래가', referenceDate: '2018-05-13' },
  ],
  [
    '지진발생 현황_20230807_최종.xlsx',
    { ...none, title: '지진발생 현황_최종', referenceDate: '2023-08-07' },
  ],
  [
    'KIKcd_B.20240701(말소코드포함).xlsx',
    { ...none, title: 'KIKcd_B (말소코드포함)', referenceDate: '2024-07-01' },
  ],
  ['둘레길.gpx', { ...none, title: '둘레길' }],
  ['공원_2024.geojson', { ...none, title: '공원', referenceDate: '2024' }],
  [
    'file_15012896.csv.gz',
    { ...none, titleSource: 'none', title: 'file_15012896', portalId: '15012896' },
  ],
  [
    '주차장_file_15012896_20240131.csv',
    { ...none, title: '주차장', portalId: '15012896', referenceDate: '2024-01-31' },
  ],
  ['15012896_주차장_2.zip', { ...none, title: '주차장', portalId: '15012896', part: 2 }],
  ['주차장_15090165.csv', { ...none, title: '주차장', portalId: '15090165' }],
  ['주차장(15090166).csv', { ...none, title: '주차장', portalId: '15090166' }],
  [
    '주차장_3033314_20240131 (1).csv',
    { ...none, title: '주차장', portalId: '3033314', referenceDate: '2024-01-31' },
  ],
  ['주차장_20150901.csv', { ...none, title: '주차장', referenceDate: '2015-09-01' }],
  ['현황_part2.csv', { ...none, title: '현황', part: 2 }],
  ['현황 (part 3).csv', { ...none, title: '현황', part: 3 }],
  ['병원정보_page4.xml', { ...none, title: '병원정보', part: 4 }],
  ['현황_2차.csv', { ...none, title: '현황_2차' }],
  ['상가정보_20240630 (3).csv', { ...none, title: '상가정보', referenceDate: '2024-06-30' }],
  [
    '전국도서관표준데이터_2016.csv',
    { ...none, title: '전국도서관표준데이터', referenceDate: '2016' },
  ],
  ['20250601_현황.csv', { ...none, title: '현황', referenceDate: '2025-06-01' }],
  ['현황(2024년 1월 기준).xlsx', { ...none, title: '현황', referenceDate: '2024-01' }],
  ['현황_2024.2.30.csv', { ...none, title: '현황', impossibleDate: '2024.2.30' }],
  ['한글이름'.normalize('NFD') + '.csv', { ...none, title: '한글이름' }],
  ['1. 년도별 신규가입 피공제자 수.csv', { ...none, title: '1. 년도별 신규가입 피공제자 수' }],
];

for (const [name, expected] of names) {
  test(`the name ${name.normalize('NFC')} is taken apart`, () => {
    assert.deepEqual(datasetOfFileName(`/data/${name}`), expected);
  });
}

const untitled = { ...none, titleSource: 'folder' };
const paths: readonly (readonly [path: string, expected: object])[] = [
  [
    '서울시 도서관 현황/20240630.csv',
    { ...untitled, title: '서울시 도서관 현황', referenceDate: '2024-06-30' },
  ],
  ['도서관 현황/2024/06.csv', { ...untitled, title: '도서관 현황' }],
  ['15012896_주차장/1.csv', { ...untitled, title: '주차장', portalId: '15012896' }],
  ['도서관\\download (3).csv', { ...untitled, title: '도서관' }],
  ['다운로드/download (3).csv', { ...none, titleSource: 'none', title: 'download' }],
  ['data/2024-06.csv', { ...none, titleSource: 'none', title: '2024-06' }],
  ['도서관/주차장 3.csv', { ...none, title: '주차장 3' }],
  ['도서관/KIKmix.csv', { ...none, title: 'KIKmix' }],
];

for (const [path, expected] of paths) {
  test(`the path ${path} has the title of its name, or of its folder`, () => {
    assert.deepEqual(datasetOfFileName(path), expected);
  });
}
