/** Urdu: what is asked, and what to do when an answer is not right. */
const questions = {
  firstName: { label: 'نام', required: 'اپنا نام لکھیں' },
  middleName: { label: 'درمیانی نام', required: 'اپنا درمیانی نام لکھیں' },
  lastName: { label: 'خاندانی نام', required: 'اپنا خاندانی نام لکھیں' },
  secondSurname: { label: 'دوسرا خاندانی نام', required: 'اپنا دوسرا خاندانی نام لکھیں' },
  dateOfBirth: {
    label: 'تاریخِ پیدائش',
    hint: 'مثال کے طور پر، {{example}}۔',
    required: 'اپنی تاریخِ پیدائش لکھیں',
  },
  placeOfBirth: {
    label: 'جائے پیدائش',
    hint: 'شہر یا گاؤں، جیسا آپ کی دستاویز پر لکھا ہے۔',
    required: 'وہ شہر یا گاؤں لکھیں جہاں آپ پیدا ہوئے',
  },
  nationality: {
    label: 'شہریت',
    hint: 'اگر ایک سے زیادہ ہیں تو وہ چنیں جو آپ کی دکھائی جانے والی دستاویز پر ہے۔',
    required: 'اپنی شہریت چنیں',
  },
  address: {
    label: 'گلی اور مکان نمبر',
    hint: 'آپ کے گھر کا پتا، پوسٹ بکس نہیں۔',
    required: 'اپنی گلی اور مکان نمبر لکھیں',
  },
  city: { label: 'شہر یا گاؤں', required: 'اپنا شہر یا گاؤں لکھیں' },
  stateProvince: { label: 'صوبہ، ریاست یا علاقہ', required: 'اپنا صوبہ، ریاست یا علاقہ لکھیں' },
  postalCode: { label: 'پوسٹل کوڈ', required: 'اپنا پوسٹل کوڈ لکھیں' },
  countryCode: { label: 'جس ملک میں آپ رہتے ہیں', required: 'وہ ملک چنیں جس میں آپ رہتے ہیں' },
  phoneNumber: {
    label: 'فون نمبر',
    hint: 'ملک کے کوڈ کے ساتھ، مثال کے طور پر \u2066+44 7700 900123\u2069۔',
    required: 'اپنا فون نمبر لکھیں',
  },
  taxIdKind: { label: 'آپ کے پاس کون سا ٹیکس نمبر ہے؟', required: 'چنیں کہ آپ کے پاس کون سا ٹیکس نمبر ہے' },
  taxIdLastFour: {
    label: 'اس نمبر کے آخری چار ہندسے',
    hint: 'صرف آخری چار، مثال کے طور پر \u20661234\u2069۔',
    required: 'اپنے ٹیکس نمبر کے آخری چار ہندسے لکھیں',
  },
  nationalIdCountry: {
    label: 'آپ کا قومی نمبر جاری کرنے والا ملک',
    required: 'وہ ملک چنیں جس نے آپ کا قومی نمبر جاری کیا',
  },
  nationalIdNumber: {
    label: 'قومی شناختی نمبر',
    hint: 'مثال کے طور پر \u2066CPF\u2069، \u2066CURP\u2069، \u2066DNI\u2069، \u2066BVN\u2069 یا \u2066NIN\u2069۔ یہ عموماً آپ کے شناختی کارڈ پر چھپا ہوتا ہے۔',
    required: 'اپنا قومی شناختی نمبر لکھیں',
  },
  documentType: { label: 'آپ کون سی دستاویز دکھائیں گے؟', required: 'چنیں کہ آپ کون سی دستاویز دکھائیں گے' },
  documentCountry: {
    label: 'دستاویز جاری کرنے والا ملک',
    required: 'وہ ملک چنیں جس نے دستاویز جاری کی',
  },
  documentNumber: {
    label: 'دستاویز کا نمبر',
    hint: 'حروف اور ہندسے، جیسے دستاویز پر ہیں۔',
    required: 'دستاویز کا نمبر لکھیں',
  },
  documentExpiresOn: {
    label: 'دستاویز کی میعاد ختم ہونے کی تاریخ',
    hint: 'مثال کے طور پر، {{example}}۔',
    required: 'دستاویز کی میعاد ختم ہونے کی تاریخ لکھیں',
  },
  documentFront: {
    label: 'دستاویز کی تصویر',
    hint: 'وہ رخ جس پر آپ کی تصویر ہے۔ پاسپورٹ میں، آپ کی تصویر والا صفحہ۔',
    required: 'دستاویز کے اس رخ کی تصویر شامل کریں جس پر آپ کی تصویر ہے',
  },
  documentBack: { label: 'پچھلے رخ کی تصویر', required: 'دستاویز کے پچھلے رخ کی تصویر شامل کریں' },
  documentMrz: {
    label: 'مشین سے پڑھی جانے والی سطریں، جن میں بہت سے \u2066<\u2069 نشان ہیں',
    hint: 'صفحے کے نیچے یا پچھلے رخ پر دو یا تین سطریں۔ انہیں لکھنے سے جانچ جلد ہوتی ہے۔',
    required: 'مشین سے پڑھی جانے والی سطریں لکھیں',
  },
  selfiePhoto: {
    label: 'آپ کے چہرے کی تصویر',
    hint: 'اچھی روشنی میں سیدھا کیمرے میں دیکھیں، دھوپ کے چشمے یا ٹوپی کے بغیر۔',
    required: 'اپنے چہرے کی تصویر شامل کریں',
  },
  proofOfAddressType: {
    label: 'آپ کیا دکھائیں گے؟',
    required: 'چنیں کہ پتے کے ثبوت کے لیے آپ کیا دکھائیں گے',
  },
  proofOfAddressIssuedOn: {
    label: 'دستاویز کی تاریخ',
    hint: 'یہ تین مہینے سے زیادہ پرانی نہیں ہونی چاہیے۔',
    required: 'دستاویز کی تاریخ لکھیں',
  },
  proofOfAddressFile: {
    label: 'وہ دستاویز',
    hint: 'آپ کا نام، آپ کا پتا اور تاریخ پڑھے جا سکنے چاہییں۔',
    required: 'اپنے پتے کا ثبوت دینے والی دستاویز شامل کریں',
  },
  occupation: {
    label: 'آپ کیا کام کرتے ہیں؟',
    hint: 'مثال کے طور پر نرس، طالب علم یا ریٹائرڈ۔',
    required: 'لکھیں کہ آپ کیا کام کرتے ہیں',
  },
  sourceOfFunds: {
    label: 'جو رقم آپ بھیجتے ہیں وہ کہاں سے آتی ہے؟',
    required: 'چنیں کہ آپ کی بھیجی رقم کہاں سے آتی ہے',
  },
  fundsExplanation: {
    label: 'اس کے بارے میں مزید بتائیں',
    hint: 'ایک یا دو جملے، مثال کے طور پر یہ آپ کو کس سے اور کب ملی۔',
    required: 'مزید بتائیں کہ رقم کہاں سے آتی ہے',
  },
  politicallyExposed: {
    label: 'کیا آپ کسی اعلیٰ سرکاری عہدے پر ہیں، یا پچھلے بارہ مہینوں میں تھے؟ کیا آپ کا کوئی قریبی ہے؟',
    hint: 'مثال کے طور پر حکومت، پارلیمنٹ، اعلیٰ عدالت، فوجی قیادت یا سرکاری کمپنی میں۔ قریبی سے مراد خاندان کا فرد، یا وہ شخص ہے جس کے ساتھ آپ کا کاروبار ہے۔',
    required: 'جوابات میں سے ایک چنیں',
  },
} as const;

/** What a question is called in some countries. */
const localNames = {
  zipCode: { label: 'زپ کوڈ', required: 'اپنا زپ کوڈ لکھیں' },
  postcode: { label: 'پوسٹ کوڈ', required: 'اپنا پوسٹ کوڈ لکھیں' },
  eircode: { label: 'Eircode', required: 'اپنا \u2066Eircode\u2069 لکھیں' },
  pinCode: { label: 'پن کوڈ', required: 'اپنا پن کوڈ لکھیں' },
  cep: { label: 'پوسٹل کوڈ (\u2066CEP\u2069)', required: 'اپنا پوسٹل کوڈ (\u2066CEP\u2069) لکھیں' },
  state: { label: 'ریاست', required: 'اپنی ریاست لکھیں' },
  provinceOrTerritory: { label: 'صوبہ یا علاقہ', required: 'اپنا صوبہ یا علاقہ لکھیں' },
  firstSurname: { label: 'پہلا خاندانی نام', required: 'اپنا پہلا خاندانی نام لکھیں' },
} as const;

const options = {
  taxIdKind: {
    ssn: 'سوشل سیکیورٹی نمبر (\u2066SSN\u2069)',
    itin: 'انفرادی ٹیکس دہندہ نمبر (\u2066ITIN\u2069)',
  },
  documentType: {
    passport: 'پاسپورٹ',
    identityCard: 'شناختی کارڈ',
    drivingLicence: 'ڈرائیونگ لائسنس',
    residencePermit: 'رہائشی اجازت نامہ',
  },
  proofOfAddressType: {
    utilityBill: 'بجلی، گیس، پانی یا انٹرنیٹ کا بل',
    bankStatement: 'بینک اسٹیٹمنٹ',
    taxLetter: 'ٹیکس دفتر کا خط',
    governmentLetter: 'کسی سرکاری دفتر کا دوسرا خط',
    rentalContract: 'کرایہ نامہ',
  },
  sourceOfFunds: {
    salary: 'تنخواہ',
    selfEmployment: 'اپنا کاروبار',
    pension: 'پنشن',
    benefits: 'سرکاری امداد',
    savings: 'بچت',
    saleOfProperty: 'جائیداد کی فروخت',
    inheritance: 'وراثت',
    gift: 'تحفہ',
    other: 'کچھ اور',
  },
  politicallyExposed: { no: 'نہیں', yes: 'ہاں، میں خود', associate: 'ہاں، میرا کوئی قریبی' },
} as const;

const faults = {
  too_long: '{{label}}: یہ بہت لمبا ہے۔ {{limit}} یا اس سے کم حروف لکھیں',
  wrong_format: '{{label}}: کم از کم ایک حرف یا ہندسہ لکھیں',
  control_characters: '{{label}}: وہ نشان ہٹائیں جو چھاپے نہیں جا سکتے',
  not_allowed: '{{label}}: فہرست میں سے ایک چنیں',
  not_a_date: '{{label}}: کیلنڈر کی کوئی تاریخ لکھیں، مثال کے طور پر {{example}}',
  too_young: 'آپ کی عمر کم از کم {{limit}} سال ہونی چاہیے',
  bornTooLongAgo: '{{label}}: یہ {{limit}} سال سے بھی پہلے کی ہے۔ سال جانچیں',
  tooOld: '{{label}}: دستاویز تین مہینے سے زیادہ پرانی نہیں ہونی چاہیے',
  in_the_past: '{{label}}: دستاویز کی میعاد ختم ہو چکی ہے۔ کوئی کارآمد دستاویز دیں',
  in_the_future: '{{label}}: تاریخ مستقبل کی نہیں ہونی چاہیے',
  wrong_check_digits: '{{label}}: کوئی حرف یا ہندسہ غلط ہے یا آگے پیچھے ہو گیا ہے۔ ہر ایک کو اپنی دستاویز سے ملائیں',
  mrzCheckDigits: 'کوئی نشان درست نہیں۔ ہر ایک کو دستاویز سے ملائیں، یا اسے خالی چھوڑ دیں',
  lastFourDigits: 'ٹھیک چار ہندسے لکھیں، مثال کے طور پر \u20661234\u2069',
  phone: 'ملک کے کوڈ کے ساتھ فون نمبر لکھیں، مثال کے طور پر \u2066+44 7700 900123\u2069',
  too_short: '{{label}}: یہ بہت چھوٹا ہے۔ کم از کم {{limit}} حروف یا ہندسے لکھیں',
  wrong_length: '{{label}}: آپ کے ملک میں اس میں {{limit}} حروف اور ہندسے ہوتے ہیں، اور آپ نے {{entered}} لکھے',
  wrong_characters: '{{label}}: صرف حروف، ہندسے، خالی جگہ، نقطہ، سلیش اور ہائفن لکھیں',
  separators:
    '{{label}}: شروع اور آخر میں حرف یا ہندسہ لکھیں، اور ان کے درمیان صرف ایک خالی جگہ، نقطہ، سلیش یا ہائفن رکھیں',
  looksLike: '{{label}}: اسے اپنی دستاویز سے ملائیں۔ یہ ایسا نظر آنا چاہیے: {{example}}',
  postalCode: '{{label}}: یہ آپ کے چنے ہوئے ملک کا نہیں ہے۔ وہاں یہ ایسا نظر آتا ہے: {{example}}',
  incomplete_date: '{{label}}: دن، مہینہ اور سال لکھیں، مثال کے طور پر {{example}}',
  not_digits: '{{label}}: صرف ہندسے لکھیں، مثال کے طور پر {{example}}',
  short_year: '{{label}}: سال چار ہندسوں میں لکھیں، مثال کے طور پر {{example}}',
  no_such_month: '{{label}}: مہینہ \u20661\u2069 سے \u206612\u2069 تک کا عدد ہونا چاہیے',
  no_such_day: '{{label}}: اس مہینے میں دن \u20661\u2069 سے {{limit}} تک کا عدد ہونا چاہیے',
  mrzLength:
    'مشین سے پڑھی جانے والی سطروں میں کل \u206688\u2069، \u206672\u2069 یا \u206690\u2069 نشان ہوتے ہیں، اور آپ نے {{entered}} لکھے۔ ہر حرف، ہندسہ اور \u2066<\u2069 نشان لکھیں، یا اسے خالی چھوڑ دیں',
  mrzCharacters:
    'مشین سے پڑھی جانے والی سطریں: صرف \u2066A\u2069 سے \u2066Z\u2069 تک کے حروف، ہندسے اور \u2066<\u2069 نشان لکھیں، یا اسے خالی چھوڑ دیں',
  phoneTooShort: 'فون نمبر: یہ بہت چھوٹا ہے۔ ملک کے کوڈ کے ساتھ اس میں کم از کم {{limit}} ہندسے ہوتے ہیں',
  phoneTooLong: 'فون نمبر: یہ بہت لمبا ہے۔ ملک کے کوڈ کے ساتھ اس میں زیادہ سے زیادہ {{limit}} ہندسے ہوتے ہیں',
  phoneCharacters: 'فون نمبر: صرف ہندسے، خالی جگہ، ہائفن اور قوسین لکھیں، اور شروع میں \u2066+\u2069',
} as const;

export const questionTexts = { questions, localNames, options, faults };
