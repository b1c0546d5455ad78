/** Tagalog: everything on the pages that is not a question. */
import { tagalog as hosted } from '../../../../hosted-pages/words/tl.js';

const frame = {
  ...hosted.frame,
  back: 'Bumalik',
  continue: 'I-save at magpatuloy',
  optional: '(opsyonal)',
  choose: 'Pumili ng isa',
  onlyFor: 'Para lamang sa: {{options}}',
  progress: 'Hakbang {{number}} ng {{total}}',
  day: 'Araw',
  month: 'Buwan',
  year: 'Taon',
  encrypted: 'Naka-encrypt ang mga inilalagay mo at ginagamit para tiyakin kung sino ka, para sa {{merchant}}.',
} as const;

const steps = {
  person: {
    title: 'Tungkol sa iyo',
    intro: 'Ilagay ang pangalan mo nang eksakto gaya ng nasa pasaporte o ID mo.',
  },
  address: { title: 'Kung saan ka nakatira', intro: 'Ang tirahan mo ngayon.' },
  identification: {
    title: 'Ang numero ng pagkakakilanlan mo',
    intro: 'Hinihingi ng batas sa tinitirhan mo ang numerong ito. Ipinagkakaiba ka nito sa mga taong kapangalan mo.',
  },
  document: {
    title: 'Ang iyong ID',
    intro: 'Dapat sa iyo ito at may bisa pa. Dapat kita sa larawan ang apat na sulok, malinaw at walang silaw.',
  },
  selfie: { title: 'Isang larawan mo', intro: 'Ihahambing ito sa larawan sa iyong ID.' },
  proofOfAddress: {
    title: 'Patunay ng tirahan mo',
    intro: 'Isang sulat o bill na ipinadala sa iyo sa tirahan mo.',
  },
  funds: {
    title: 'Ang trabaho at pera mo',
    intro: 'Para sa mas malalaking halaga, inaatasan kami ng batas na itanong kung saan galing ang pera.',
  },
} as const;

const begin = {
  heading: 'Ang kakailanganin mo',
  why: 'Kailangang malaman ng {{merchant}} kung sino ka bago ito makapagpadala ng pera para sa iyo.',
  LEVEL_1: 'Ilang minuto ng oras mo.',
  LEVEL_2: 'Ang iyong pasaporte, ID o ibang dokumento, at isang camera.',
  LEVEL_3: 'Ang iyong ID, isang camera, at isang sulat o bill na may tirahan mo.',
  time: 'May isang oras ka para sa bawat pahina. Hindi mawawala ang mga na-save mo.',
  again: 'Pakitama ang mga pahinang ito',
  againWhy:
    'Hindi namin natapos ang pagsusuri. Ang mga pahinang ito lamang ang kailangan muli; nakasulat sa bawat isa kung ano ang babaguhin.',
  resume: 'Nasagot mo na ang lahat',
  resumeText: 'Magpatuloy para tingnan ang mga sagot mo at ipadala ang mga ito.',
  resumeButton: 'Tingnan ang mga sagot mo',
  rejected: 'Hindi namin tinanggap ang huli mong form',
} as const;

const upload = {
  accepted: 'JPEG, PNG o PDF, hanggang {{megabytes}} MB.',
  acceptedPhoto: 'JPEG o PNG, hanggang {{megabytes}} MB.',
  takePhoto: 'Kumuha ng larawan',
  chooseFile: 'Pumili ng file',
  received: 'Natanggap: {{kind}}, {{size}}',
  replace: 'Para palitan ito, pumili ng iba.',
  photo: 'larawan',
  pdf: 'PDF',
  preparing: 'Inihahanda ang larawan …',
  sending: 'Ipinapadala: {{percent}} %',
  checking: 'Sinusuri …',
  sent: 'Natanggap',
  preview: 'Ang larawang pinili mo',
  interrupted: 'Naputol ang koneksyon habang ipinapadala ang file. Piliin itong muli.',
  waitForIt: 'Hintaying maipadala ang file, saka magpatuloy.',
} as const;

const uploadFaults = {
  too_large:
    '{{label}}: mas malaki sa {{megabytes}} MB ang file. Kumuha ng bagong larawan, o i-save ito nang mas maliit',
  empty: '{{label}}: walang laman ang file. Pumili ng iba',
  not_an_accepted_type:
    '{{label}}: hindi tinatanggap ang ganitong uri ng file. Gumamit ng larawang JPEG o PNG, o ng PDF',
  heic: '{{label}}: larawang HEIC ito, na hindi namin mabasa. Kunan ang larawan gamit ang button sa pahinang ito, o i-save ito bilang JPEG',
  unreadable: '{{label}}: sira o hindi buo ang file. Pumili ng iba',
  too_many_pixels: '{{label}}: napakaraming pixel ng larawan. I-save ito nang mas maliit, o kumuha ng bago',
  animated: '{{label}}: hindi tinatanggap ang gumagalaw na larawan. Gumamit ng karaniwang larawan',
  pdf_encrypted: '{{label}}: may password ang PDF. I-save ito nang walang password',
  pdf_active: '{{label}}: may mga form, script o kalakip ang PDF. I-print ito sa bagong PDF, o kunan ito ng larawan',
  pdf_too_many_pages: '{{label}}: napakaraming pahina ng PDF. Ipadala lamang ang mahalagang pahina',
  not_a_photo: '{{label}}: hindi tinatanggap dito ang ganitong uri ng file. Gumamit ng larawang JPEG o PNG',
  checker_unavailable:
    '{{label}}: hindi masuri ang file ngayon. Walang mali rito. Subukan muli pagkalipas ng isang minuto',
  timeout: '{{label}}: napakatagal ng file. Subukan muli, nang may mas mabilis na koneksyon o mas maliit na file',
  too_few_pixels:
    '{{label}}: napakaliit ng larawan para mabasa. Kailangan nito ng hindi bababa sa 600 por 400 pixel: kumuha ng bagong larawan nang malapitan, hindi screenshot o thumbnail',
  blank:
    '{{label}}: walang makita sa larawan. Tiyaking walang nakatakip sa camera at sapat ang liwanag, saka kumuha ng bagong larawan',
  same_file: '{{label}}: naipadala mo na ang larawang ito para sa ibang tanong. Kunan ng larawan ang hinihingi rito',
} as const;

const check = {
  title: 'Tingnan ang mga sagot mo',
  intro: 'Wala pang naipadala. Itama ang anumang mali, saka ipadala ang mga sagot mo.',
  change: 'Baguhin',
  nothing: 'Hindi ibinigay',
  missing: 'Kumpletuhin muna ang pahinang ito: {{title}}',
  consentHeading: 'Bago mo ito ipadala',
  consent: 'Sumasang-ayon ako sa mga pahayag na ito',
  consentRequired: 'Lagyan ng tsek ang kahon kung sumasang-ayon ka',
  submit: 'Ipadala ang mga sagot ko',
} as const;

const consent = {
  truth: 'Totoo at kumpleto ang mga inilagay ko, at sa akin ang mga dokumento.',
  use: 'Maaari itong gamitin ng {{merchant}} at ng serbisyong nagpapatakbo ng form na ito para tiyakin kung sino ako, pati laban sa mga listahan ng parusa at pagbabantay na hinihingi ng batas.',
  keep: 'Itatago nila ito hangga’t inaatas ng batas, at saka buburahin.',
} as const;

const status = {
  PENDING: {
    title: 'Hindi pa naipadala',
    text: 'Hindi pa naipadala ang mga sagot mo. Bumalik sa {{merchant}} para magpatuloy.',
  },
  SUBMITTED: {
    title: 'Natanggap na namin ang mga sagot mo',
    text: 'Sinusuri na ang mga ito. Wala kang kailangang gawin ngayon. Sasabihin namin sa {{merchant}} kapag may resulta na.',
  },
  IN_REVIEW: {
    title: 'Natanggap na namin ang mga sagot mo',
    text: 'Isang tao ang sumusuri sa mga ito. Wala kang kailangang gawin ngayon. Sasabihin namin sa {{merchant}} kapag may resulta na.',
  },
  APPROVED: { title: 'Beripikado ka na', text: 'Maayos ang lahat. Maaari ka nang bumalik sa {{merchant}}.' },
  REJECTED: { title: 'Hindi ka namin naberipika' },
  ACTION_REQUIRED: {
    title: 'May kailangan kaming muli sa iyo',
    text: 'Tatanungin ka lamang tungkol sa kulang.',
  },
  EXPIRED: {
    title: 'Lumipas na ang bisa ng beripikasyon mo',
    text: 'Bumalik sa {{merchant}} para magpaberipika muli.',
  },
  REVOKED: {
    title: 'Wala nang bisa ang beripikasyon mo',
    text: 'Makipag-ugnayan sa {{merchant}} para malaman ang susunod na gagawin.',
  },
  keep: 'Makikita mo ang pahinang ito sa loob ng 90 araw. Wala itong ipinapakitang personal na impormasyon.',
  validUntil: 'May bisa hanggang {{date}}',
  heldUntil: 'May bisa ang kasalukuyan mong beripikasyon hanggang {{date}}.',
  why: 'Ang dahilan',
  reopen: 'Magpatuloy',
  next: 'Ang susunod mong magagawa',
  tryAgain:
    'Maaari mong subukan muli. Bumalik sa {{merchant}} at buksan muli ang form. Walang takdang oras. Itama ang binabanggit sa dahilan bago mo ito ipadala.',
  finalNext: 'Pinal ang pasyang ito: hindi na maipapadala muli ang form.',
  objection: 'Kung sa tingin mo ay mali ito, makipag-ugnayan sa {{merchant}} at ibigay ang sanggunian sa ibaba.',
} as const;

const reasons = {
  blurry: 'Malabo o napakadilim ng larawan. Kunan ito sa liwanag ng araw nang hindi gumagalaw ang telepono.',
  cropped: 'Naputol ang isang bahagi ng dokumento. Dapat nasa larawan ang apat na sulok.',
  expired_document: 'Lumipas na ang bisa ng dokumento. Gumamit ng may bisa pa.',
  wrong_document: 'Hindi ito ang dokumentong hiningi namin.',
  unsupported_document: 'Hindi tinatanggap ang ganitong uri ng dokumento. Gumamit halimbawa ng pasaporte.',
  mismatch: 'Magkaiba ang inilagay mo at ang nasa dokumento.',
  incomplete: 'May kulang.',
  underage: 'Dapat 18 taong gulang ka man lamang.',
  COMPLIANCE: 'Hindi ito pinapayagan ng mga patakarang dapat naming sundin.',
  other: 'May hindi makumpirma.',
} as const;

const ended = {
  expired: {
    title: 'Lumipas na ang bisa ng link na ito',
    text: 'Para protektahan ka, limitado ang oras na gumagana ang isang link. Nakatago pa rin ang mga na-save mo. Bumalik sa {{merchant}} para sa bagong link.',
  },
  submitted: {
    title: 'Naipadala na ang form na ito',
    text: 'Dumating na ang mga sagot mo, at wala nang kailangan dito. Bumalik sa {{merchant}} para makita ang resulta.',
  },
  held: {
    title: 'Beripikado ka na',
    text: 'Wala nang gagawin dito. Maaari ka nang bumalik sa {{merchant}}.',
  },
  refused: {
    title: 'Hindi ka namin maberipika',
    text: 'Pinal ang pasya. Kung may tanong ka tungkol dito, makipag-ugnayan sa {{merchant}}.',
  },
  unknown: {
    title: 'Hindi gumagana ang link na ito',
    text: 'Baka kulang o napakaluma na nito. Bumalik sa pinagkunan mo nito at humingi ng bago.',
  },
} as const;

const time = {
  heading: 'Kailangan mo pa ba ng oras?',
  extend: 'Kailangan ko pa ng oras',
  extended: 'May dagdag na oras ka na.',
  atEnd:
    'Hindi na madadagdagan ang oras. I-save na ang pahinang ito. Makakapagpatuloy ka mamaya gamit ang bagong link.',
  over: 'Tapos na ang oras para sa pahinang ito. Nakatago pa rin ang mga na-save mo. Humingi sa {{merchant}} ng bagong link.',
  offline: 'Walang koneksyon. Narito pa rin ang mga inilagay mo: subukan muli kapag online ka na.',
} as const;

/** With one form for each plural of the language. */
const counts = {
  minutesLeft_one: 'Magsasara ang pahinang ito sa loob ng {{count}} minuto. Mawawala ang hindi pa na-save.',
  minutesLeft_other: 'Magsasara ang pahinang ito sa loob ng {{count}} na minuto. Mawawala ang hindi pa na-save.',
} as const;

export const pages = {
  frame,
  steps,
  begin,
  upload,
  uploadFaults,
  check,
  consent,
  status,
  reasons,
  ended,
  failures: hosted.failures,
  time,
  counts,
};
