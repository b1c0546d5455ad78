/** Arabic: what is asked, and what to do when an answer is not right. */
const questions = {
  firstName: { label: 'الاسم الأول', required: 'اكتب اسمك الأول' },
  middleName: { label: 'الأسماء الوسطى', required: 'اكتب أسماءك الوسطى' },
  lastName: { label: 'اسم العائلة', required: 'اكتب اسم عائلتك' },
  secondSurname: { label: 'اسم العائلة الثاني', required: 'اكتب اسم عائلتك الثاني' },
  dateOfBirth: {
    label: 'تاريخ الميلاد',
    hint: 'مثال: {{example}}.',
    required: 'اكتب تاريخ ميلادك',
  },
  placeOfBirth: {
    label: 'مكان الميلاد',
    hint: 'المدينة أو البلدة كما وردت في وثيقتك.',
    required: 'اكتب المدينة أو البلدة التي وُلدت فيها',
  },
  nationality: {
    label: 'الجنسية',
    hint: 'إذا كانت لديك أكثر من جنسية، فاختر جنسية الوثيقة التي ستقدّمها.',
    required: 'اختر جنسيتك',
  },
  address: {
    label: 'الشارع ورقم المنزل',
    hint: 'عنوان سكنك، وليس صندوق بريد.',
    required: 'اكتب اسم الشارع ورقم المنزل',
  },
  city: { label: 'المدينة أو البلدة', required: 'اكتب مدينتك أو بلدتك' },
  stateProvince: { label: 'الولاية أو المحافظة أو المنطقة', required: 'اكتب الولاية أو المحافظة أو المنطقة' },
  postalCode: { label: 'الرمز البريدي', required: 'اكتب الرمز البريدي' },
  countryCode: { label: 'بلد الإقامة', required: 'اختر البلد الذي تقيم فيه' },
  phoneNumber: {
    label: 'رقم الهاتف',
    hint: 'مع رمز البلد، مثال: \u2066+971 50 123 4567\u2069.',
    required: 'اكتب رقم هاتفك',
  },
  taxIdKind: { label: 'ما الرقم الضريبي الذي لديك؟', required: 'اختر الرقم الضريبي الذي لديك' },
  taxIdLastFour: {
    label: 'آخر أربعة أرقام منه',
    hint: 'آخر أربعة أرقام فقط، مثال: \u20661234\u2069.',
    required: 'اكتب آخر أربعة أرقام من رقمك الضريبي',
  },
  nationalIdCountry: {
    label: 'البلد الذي أصدر رقمك الوطني',
    required: 'اختر البلد الذي أصدر رقمك الوطني',
  },
  nationalIdNumber: {
    label: 'رقم الهوية الوطنية',
    hint: 'مثل \u2066CPF\u2069 أو \u2066CURP\u2069 أو \u2066DNI\u2069 أو \u2066BVN\u2069 أو \u2066NIN\u2069. تجده عادةً على بطاقة هويتك.',
    required: 'اكتب رقم هويتك الوطنية',
  },
  documentType: { label: 'ما الوثيقة التي ستقدّمها؟', required: 'اختر الوثيقة التي ستقدّمها' },
  documentCountry: { label: 'البلد الذي أصدر الوثيقة', required: 'اختر البلد الذي أصدر الوثيقة' },
  documentNumber: {
    label: 'رقم الوثيقة',
    hint: 'الحروف والأرقام كما وردت في الوثيقة.',
    required: 'اكتب رقم الوثيقة',
  },
  documentExpiresOn: {
    label: 'تاريخ انتهاء الوثيقة',
    hint: 'مثال: {{example}}.',
    required: 'اكتب تاريخ انتهاء الوثيقة',
  },
  documentFront: {
    label: 'صورة الوثيقة',
    hint: 'الوجه الذي عليه صورتك. في جواز السفر: الصفحة التي فيها صورتك.',
    required: 'أضف صورة لوجه الوثيقة الذي عليه صورتك',
  },
  documentBack: { label: 'صورة الوجه الخلفي', required: 'أضف صورة للوجه الخلفي من الوثيقة' },
  documentMrz: {
    label: 'أسطر القراءة الآلية، وفيها علامات \u2066<\u2069 كثيرة',
    hint: 'سطران أو ثلاثة أسفل الصفحة أو على الوجه الخلفي. كتابتها تجعل التحقق أسرع.',
    required: 'اكتب أسطر القراءة الآلية',
  },
  selfiePhoto: {
    label: 'صورة وجهك',
    hint: 'انظر مباشرة إلى الكاميرا في إضاءة جيدة، من دون نظارة شمسية أو قبعة.',
    required: 'أضف صورة لوجهك',
  },
  proofOfAddressType: { label: 'ماذا ستقدّم؟', required: 'اختر ما ستقدّمه لإثبات عنوانك' },
  proofOfAddressIssuedOn: {
    label: 'تاريخ المستند',
    hint: 'يجب ألا يكون أقدم من ثلاثة أشهر.',
    required: 'اكتب تاريخ المستند',
  },
  proofOfAddressFile: {
    label: 'المستند',
    hint: 'يجب أن يكون اسمك وعنوانك والتاريخ مقروءة.',
    required: 'أضف المستند الذي يثبت عنوانك',
  },
  occupation: {
    label: 'ما عملك؟',
    hint: 'مثلًا ممرّضة أو طالب أو متقاعد.',
    required: 'اكتب عملك',
  },
  sourceOfFunds: {
    label: 'من أين يأتي المال الذي ترسله؟',
    required: 'اختر مصدر المال الذي ترسله',
  },
  fundsExplanation: {
    label: 'أخبرنا بالمزيد عنه',
    hint: 'جملة أو جملتان، مثلًا ممّن استلمته ومتى.',
    required: 'أخبرنا بالمزيد عن مصدر المال',
  },
  politicallyExposed: {
    label: 'هل تشغل منصبًا عامًا رفيعًا، أو شغلته خلال الأشهر الاثني عشر الماضية؟ وهل يشغله شخص مقرّب منك؟',
    hint: 'مثلًا في حكومة أو برلمان أو محكمة عليا أو قيادة عسكرية أو شركة مملوكة للدولة. الشخص المقرّب هو أحد أفراد الأسرة أو شريك لك في عمل تجاري.',
    required: 'اختر إحدى الإجابات',
  },
} as const;

/** What a question is called in some countries. */
const localNames = {
  zipCode: { label: 'الرمز البريدي (\u2066ZIP\u2069)', required: 'اكتب الرمز البريدي (\u2066ZIP\u2069)' },
  postcode: { label: 'الرمز البريدي (\u2066postcode\u2069)', required: 'اكتب الرمز البريدي' },
  eircode: {
    label: 'الرمز البريدي (\u2066Eircode\u2069)',
    required: 'اكتب الرمز البريدي (\u2066Eircode\u2069)',
  },
  pinCode: { label: 'الرمز البريدي (\u2066PIN\u2069)', required: 'اكتب الرمز البريدي (\u2066PIN\u2069)' },
  cep: { label: 'الرمز البريدي (\u2066CEP\u2069)', required: 'اكتب الرمز البريدي (\u2066CEP\u2069)' },
  state: { label: 'الولاية', required: 'اكتب الولاية' },
  provinceOrTerritory: { label: 'المقاطعة أو الإقليم', required: 'اكتب المقاطعة أو الإقليم' },
  firstSurname: { label: 'اسم العائلة الأول', required: 'اكتب اسم عائلتك الأول' },
} as const;

const options = {
  taxIdKind: {
    ssn: 'رقم الضمان الاجتماعي (\u2066SSN\u2069)',
    itin: 'رقم تعريف دافع الضرائب الفردي (\u2066ITIN\u2069)',
  },
  documentType: {
    passport: 'جواز سفر',
    identityCard: 'بطاقة هوية',
    drivingLicence: 'رخصة قيادة',
    residencePermit: 'تصريح إقامة',
  },
  proofOfAddressType: {
    utilityBill: 'فاتورة كهرباء أو غاز أو ماء أو إنترنت',
    bankStatement: 'كشف حساب مصرفي',
    taxLetter: 'رسالة من مصلحة الضرائب',
    governmentLetter: 'رسالة أخرى من جهة رسمية',
    rentalContract: 'عقد إيجار',
  },
  sourceOfFunds: {
    salary: 'راتب',
    selfEmployment: 'عمل خاص',
    pension: 'معاش تقاعدي',
    benefits: 'إعانات حكومية',
    savings: 'مدّخرات',
    saleOfProperty: 'بيع عقار',
    inheritance: 'ميراث',
    gift: 'هدية',
    other: 'مصدر آخر',
  },
  politicallyExposed: { no: 'لا', yes: 'نعم، أنا', associate: 'نعم، شخص مقرّب مني' },
} as const;

const faults = {
  too_long: '{{label}}: الإجابة أطول من اللازم. استخدم {{limit}} حرفًا على الأكثر',
  wrong_format: '{{label}}: اكتب حرفًا أو رقمًا واحدًا على الأقل',
  control_characters: '{{label}}: احذف الرموز التي لا يمكن طباعتها',
  not_allowed: '{{label}}: اختر من القائمة',
  not_a_date: '{{label}}: اكتب تاريخًا من التقويم، مثال: {{example}}',
  too_young: 'يجب ألا يقل عمرك عن {{limit}} عامًا',
  bornTooLongAgo: '{{label}}: مضى على هذا التاريخ أكثر من {{limit}} سنة. تحقق من السنة',
  tooOld: '{{label}}: يجب ألا يكون المستند أقدم من ثلاثة أشهر',
  in_the_past: '{{label}}: انتهت صلاحية الوثيقة. استخدم وثيقة سارية',
  in_the_future: '{{label}}: يجب ألا يكون التاريخ في المستقبل',
  wrong_check_digits: '{{label}}: أحد الحروف أو الأرقام خطأ أو في غير مكانه. قارن كل واحد منها بوثيقتك',
  mrzCheckDigits: 'أحد الرموز غير صحيح. قارن كل رمز بالوثيقة، أو اترك هذا الحقل فارغًا',
  lastFourDigits: 'اكتب أربعة أرقام بالضبط، مثال: \u20661234\u2069',
  phone: 'اكتب رقم هاتف مع رمز البلد، مثال: \u2066+971 50 123 4567\u2069',
  too_short: '{{label}}: الإجابة أقصر من اللازم. اكتب {{limit}} من الحروف أو الأرقام على الأقل',
  wrong_length: '{{label}}: عدد الحروف والأرقام في بلدك {{limit}}، وقد كتبت {{entered}}',
  wrong_characters: '{{label}}: استخدم الحروف والأرقام والمسافات والنقاط والشرطات المائلة والشرطات فقط',
  separators: '{{label}}: ابدأ وانتهِ بحرف أو رقم، ولا تضع بين اثنين منها إلا مسافة واحدة أو نقطة أو شرطة مائلة أو شرطة',
  looksLike: '{{label}}: قارنه بوثيقتك. يجب أن يكون مثل {{example}}',
  postalCode: '{{label}}: لا يطابق البلد الذي اخترته. هناك يكون مثل {{example}}',
  incomplete_date: '{{label}}: اكتب اليوم والشهر والسنة، مثال: {{example}}',
  not_digits: '{{label}}: استخدم الأرقام فقط، مثال: {{example}}',
  short_year: '{{label}}: اكتب السنة بأربعة أرقام، مثال: {{example}}',
  no_such_month: '{{label}}: يجب أن يكون الشهر رقمًا من \u20661\u2069 إلى \u206612\u2069',
  no_such_day: '{{label}}: يجب أن يكون اليوم في ذلك الشهر رقمًا من \u20661\u2069 إلى {{limit}}',
  mrzLength:
    'في أسطر القراءة الآلية \u206688\u2069 أو \u206672\u2069 أو \u206690\u2069 رمزًا في المجموع، وقد كتبت {{entered}}. اكتب كل حرف ورقم وعلامة \u2066<\u2069، أو اترك هذا الحقل فارغًا',
  mrzCharacters:
    'أسطر القراءة الآلية: استخدم فقط الحروف من \u2066A\u2069 إلى \u2066Z\u2069 والأرقام وعلامة \u2066<\u2069، أو اترك هذا الحقل فارغًا',
  phoneTooShort: 'رقم الهاتف: أقصر من اللازم. مع رمز البلد لا يقل عن {{limit}} أرقام',
  phoneTooLong: 'رقم الهاتف: أطول من اللازم. مع رمز البلد لا يزيد على {{limit}} رقمًا',
  phoneCharacters: 'رقم الهاتف: استخدم الأرقام والمسافات والشرطات والأقواس فقط، مع علامة \u2066+\u2069 في البداية',
} as const;

export const questionTexts = { questions, localNames, options, faults };
