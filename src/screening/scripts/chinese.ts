/** Chinese names: the family name comes first and is one character, rarely two. Each character is one syllable. */
import anyAscii from 'any-ascii';

const han = /^\p{Script=Han}+$/u;

export function isChinese(word: string): boolean {
  return han.test(word);
}

const doubleFamilyNames = new Set(
  '欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 司徒 东方 東方 独孤 獨孤 南宫 南宮 夏侯 尉迟 尉遲 皇甫 慕容 长孙 長孫 令狐 宇文 端木 轩辕 軒轅'.split(
    ' ',
  ),
);

/** Family names that are read differently from the same character in other words. */
const readings: Readonly<Record<string, string>> = {
  单: 'shan',
  單: 'shan',
  曾: 'zeng',
  解: 'xie',
  仇: 'qiu',
  朴: 'piao',
  查: 'zha',
  盖: 'ge',
  任: 'ren',
  区: 'ou',
  區: 'ou',
  尉: 'yu',
  长: 'zhang',
  乐: 'yue',
  樂: 'yue',
  覃: 'qin',
  冼: 'xian',
  缪: 'miao',
  宓: 'fu',
  员: 'yun',
  薄: 'bo',
  沈: 'shen',
  吕: 'lv',
  呂: 'lv',
};

/** The family names of nearly all Chinese, in both scripts. */
const familyNames = new Set(
  '王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭肖程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴夏钟鍾鐘汪田任姜范方石姚谭譚廖邹鄒熊金陆陸郝孔白崔康毛邱丘秦江史顾顧侯邵孟龙龍万萬段雷钱錢汤湯尹黎易常武乔喬贺賀赖賴龚龔文庞龐樊兰蘭殷施陶洪翟安颜顏倪严嚴牛温溫芦蘆季俞章鲁魯葛伍韦韋申尤毕畢聂聶丛叢焦向柳邢路岳齐齊沿梅莫庄莊辛管祝左涂谷祁时時舒耿牟卜詹关關苗凌费費纪紀靳盛童欧歐甄项項曲成游阳陽裴席卫衛查屈鲍鮑位覃霍翁隋植甘景薄单單包司柏宁寧柯阮桂闵閔解强強柴华華车車冉房边邊辜吉饶饒刁瞿戚丰豐苟臧佘沙穆荣榮蒲滕窦竇骆駱匡卓燕简簡褚娄婁党黨明盘盤全应應原仇闻聞巩鞏习習艾屠郎巴姬储儲冷敖连連栗麦麥占井米池蓝藍官仲晏粟宫宮尚封商鞠木邬鄔苑雍都修蔺藺揭谈談古佟晋晉花尧堯虞祖厉厲刘岑荆郗充慕茹习宦鱼魚容戈暨居衡步满滿弘国國寇广廣禄祿阙闕东東殴殳沃利蔚越夔隆师師厍聂晁勾融訾那空毋乜养養须須红紅游竺权權逯盖蓋益桓公朴乐樂区區冼缪繆宓员尉长長撒洛仝代云雲戎水幸干台太鹿撖覀'.replaceAll(
    /\s/g,
    '',
  ),
);

/**
 * Whether it looks like a Chinese name. A foreign name that is written by sound is longer, or begins with another
 * character, as a Japanese one mostly does.
 */
export function isChineseName(word: string, isWholeName: boolean): boolean {
  const letters = [...word];
  if (letters.length <= 1) return true;
  if (familyLengthOf(letters) === 2) return letters.length <= 4;
  return letters.length <= 3 && (!isWholeName || familyNames.has(letters[0] ?? ''));
}

/**
 * The family name and the given name, in Pinyin and in the older spelling of Wade and Giles, which Taiwan keeps. A long
 * run of characters is not a person's name and stays one word.
 */
export function chineseReadings(word: string): string[][] {
  const characters = [...word];
  const read = (written: readonly string[], isFamily: boolean) =>
    written.map((character) => (isFamily ? readings[character] : undefined) ?? pinyin(character));
  const isName = characters.length > 1 && characters.length <= 4;
  const familyLength = isName ? familyLengthOf(characters) : 0;
  const words = [
    read(characters.slice(0, familyLength), familyLength === 1),
    read(characters.slice(familyLength), false),
  ];
  return [words, words.map((syllables) => syllables.map(wadeGiles))].map((reading) =>
    reading.map((syllables) => syllables.join('')).filter((text) => text !== ''),
  );
}

function familyLengthOf(characters: readonly string[]): number {
  return characters.length > 2 && doubleFamilyNames.has(characters.slice(0, 2).join('')) ? 2 : 1;
}

function pinyin(character: string): string {
  return anyAscii(character)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

const initials: readonly (readonly [string, string])[] = [
  ['zh', 'ch'],
  ['z', 'ts'],
  ['c', 'ts'],
  ['j', 'ch'],
  ['q', 'ch'],
  ['x', 'hs'],
  ['b', 'p'],
  ['d', 't'],
  ['g', 'k'],
  ['r', 'j'],
];
const wholeSyllables: Readonly<Record<string, string>> = {
  si: 'szu',
  zi: 'tzu',
  ci: 'tzu',
  shi: 'shih',
  zhi: 'chih',
  chi: 'chih',
  ri: 'jih',
  yan: 'yen',
  ye: 'yeh',
  you: 'yu',
  yong: 'yung',
  er: 'erh',
  ge: 'ko',
  ke: 'ko',
  he: 'ho',
  guo: 'kuo',
};

/** Without the apostrophes, which passports leave out. */
function wadeGiles(syllable: string): string {
  const whole = wholeSyllables[syllable];
  if (whole !== undefined) return whole;
  const [from, to] = initials.find(([initial]) => syllable.startsWith(initial) && !/^[cs]h/.test(syllable)) ?? ['', ''];
  const rest = syllable
    .slice(from.length)
    .replace(/ian$/, 'ien')
    .replace(/ong$/, 'ung')
    .replace(/(?<=[iu])e$/, 'eh')
    .replace(/uo$/, 'o');
  return to + rest;
}
