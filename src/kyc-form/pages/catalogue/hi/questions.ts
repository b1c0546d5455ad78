/** Hindi: what is asked, and what to do when an answer is not right. */
const questions = {
  firstName: { label: 'नाम', required: 'अपना नाम लिखें' },
  middleName: { label: 'बीच का नाम', required: 'अपना बीच का नाम लिखें' },
  lastName: { label: 'उपनाम', required: 'अपना उपनाम लिखें' },
  secondSurname: { label: 'दूसरा उपनाम', required: 'अपना दूसरा उपनाम लिखें' },
  dateOfBirth: {
    label: 'जन्मतिथि',
    hint: 'उदाहरण के लिए, {{example}}।',
    required: 'अपनी जन्मतिथि लिखें',
  },
  placeOfBirth: {
    label: 'जन्म स्थान',
    hint: 'शहर या गाँव, जैसा आपके दस्तावेज़ पर लिखा है।',
    required: 'वह शहर या गाँव लिखें जहाँ आपका जन्म हुआ',
  },
  nationality: {
    label: 'राष्ट्रीयता',
    hint: 'अगर एक से ज़्यादा हैं, तो वह चुनें जो आपके दिखाए जाने वाले दस्तावेज़ पर है।',
    required: 'अपनी राष्ट्रीयता चुनें',
  },
  address: {
    label: 'गली और मकान संख्या',
    hint: 'आपके घर का पता, पोस्ट बॉक्स नहीं।',
    required: 'अपनी गली और मकान संख्या लिखें',
  },
  city: { label: 'शहर या गाँव', required: 'अपना शहर या गाँव लिखें' },
  stateProvince: { label: 'राज्य, प्रांत या क्षेत्र', required: 'अपना राज्य, प्रांत या क्षेत्र लिखें' },
  postalCode: { label: 'डाक कोड', required: 'अपना डाक कोड लिखें' },
  countryCode: { label: 'जिस देश में आप रहते हैं', required: 'वह देश चुनें जिसमें आप रहते हैं' },
  phoneNumber: {
    label: 'फ़ोन नंबर',
    hint: 'देश के कोड के साथ, उदाहरण के लिए +44 7700 900123.',
    required: 'अपना फ़ोन नंबर लिखें',
  },
  taxIdKind: { label: 'आपके पास कौन सी कर संख्या है?', required: 'चुनें कि आपके पास कौन सी कर संख्या है' },
  taxIdLastFour: {
    label: 'उस संख्या के आख़िरी चार अंक',
    hint: 'सिर्फ़ आख़िरी चार, उदाहरण के लिए 1234.',
    required: 'अपनी कर संख्या के आख़िरी चार अंक लिखें',
  },
  nationalIdCountry: {
    label: 'आपकी राष्ट्रीय संख्या जारी करने वाला देश',
    required: 'वह देश चुनें जिसने आपकी राष्ट्रीय संख्या जारी की',
  },
  nationalIdNumber: {
    label: 'राष्ट्रीय पहचान संख्या',
    hint: 'उदाहरण के लिए CPF, CURP, DNI, BVN या NIN. यह आमतौर पर आपके पहचान पत्र पर छपी होती है।',
    required: 'अपनी राष्ट्रीय पहचान संख्या लिखें',
  },
  documentType: { label: 'आप कौन सा दस्तावेज़ दिखाएँगे?', required: 'चुनें कि आप कौन सा दस्तावेज़ दिखाएँगे' },
  documentCountry: {
    label: 'दस्तावेज़ जारी करने वाला देश',
    required: 'वह देश चुनें जिसने दस्तावेज़ जारी किया',
  },
  documentNumber: {
    label: 'दस्तावेज़ संख्या',
    hint: 'अक्षर और अंक, जैसे दस्तावेज़ पर हैं।',
    required: 'दस्तावेज़ की संख्या लिखें',
  },
  documentExpiresOn: {
    label: 'दस्तावेज़ की समाप्ति तारीख़',
    hint: 'उदाहरण के लिए, {{example}}।',
    required: 'दस्तावेज़ की समाप्ति तारीख़ लिखें',
  },
  documentFront: {
    label: 'दस्तावेज़ की फ़ोटो',
    hint: 'वह तरफ़ जिस पर आपकी तस्वीर है। पासपोर्ट में, आपकी तस्वीर वाला पेज।',
    required: 'दस्तावेज़ की उस तरफ़ की फ़ोटो जोड़ें जिस पर आपकी तस्वीर है',
  },
  documentBack: { label: 'पीछे की तरफ़ की फ़ोटो', required: 'दस्तावेज़ के पीछे की तरफ़ की फ़ोटो जोड़ें' },
  documentMrz: {
    label: 'मशीन से पढ़ी जाने वाली पंक्तियाँ, जिनमें कई < चिह्न हैं',
    hint: 'पेज के नीचे या पीछे की तरफ़ दो या तीन पंक्तियाँ। इन्हें लिखने से जाँच जल्दी होती है।',
    required: 'मशीन से पढ़ी जाने वाली पंक्तियाँ लिखें',
  },
  selfiePhoto: {
    label: 'आपके चेहरे की फ़ोटो',
    hint: 'अच्छी रोशनी में सीधे कैमरे में देखें, बिना धूप के चश्मे या टोपी के।',
    required: 'अपने चेहरे की फ़ोटो जोड़ें',
  },
  proofOfAddressType: {
    label: 'आप क्या दिखाएँगे?',
    required: 'चुनें कि पते के प्रमाण के लिए आप क्या दिखाएँगे',
  },
  proofOfAddressIssuedOn: {
    label: 'दस्तावेज़ की तारीख़',
    hint: 'यह तीन महीने से ज़्यादा पुराना नहीं होना चाहिए।',
    required: 'दस्तावेज़ की तारीख़ लिखें',
  },
  proofOfAddressFile: {
    label: 'वह दस्तावेज़',
    hint: 'आपका नाम, आपका पता और तारीख़ पढ़े जा सकने चाहिए।',
    required: 'अपने पते का प्रमाण देने वाला दस्तावेज़ जोड़ें',
  },
  occupation: {
    label: 'आप क्या काम करते हैं?',
    hint: 'उदाहरण के लिए नर्स, छात्र या सेवानिवृत्त।',
    required: 'लिखें कि आप क्या काम करते हैं',
  },
  sourceOfFunds: {
    label: 'जो पैसा आप भेजते हैं, वह कहाँ से आता है?',
    required: 'चुनें कि आपका भेजा पैसा कहाँ से आता है',
  },
  fundsExplanation: {
    label: 'इसके बारे में और बताएँ',
    hint: 'एक या दो वाक्य, उदाहरण के लिए यह आपको किससे और कब मिला।',
    required: 'और बताएँ कि पैसा कहाँ से आता है',
  },
  politicallyExposed: {
    label: 'क्या आप किसी ऊँचे सरकारी पद पर हैं, या पिछले 12 महीनों में थे? क्या आपका कोई क़रीबी है?',
    hint: 'उदाहरण के लिए सरकार, संसद, ऊँची अदालत, सैन्य नेतृत्व या सरकारी कंपनी में। क़रीबी का मतलब है परिवार का सदस्य, या वह व्यक्ति जिसके साथ आपका कारोबार है।',
    required: 'इनमें से एक उत्तर चुनें',
  },
} as const;

/** What a question is called in some countries. */
const localNames = {
  zipCode: { label: 'ज़िप कोड', required: 'अपना ज़िप कोड लिखें' },
  postcode: { label: 'पोस्टकोड', required: 'अपना पोस्टकोड लिखें' },
  eircode: { label: 'Eircode', required: 'अपना Eircode लिखें' },
  pinCode: { label: 'पिन कोड', required: 'अपना पिन कोड लिखें' },
  cep: { label: 'डाक कोड (CEP)', required: 'अपना डाक कोड (CEP) लिखें' },
  state: { label: 'राज्य', required: 'अपना राज्य लिखें' },
  provinceOrTerritory: { label: 'प्रांत या क्षेत्र', required: 'अपना प्रांत या क्षेत्र लिखें' },
  firstSurname: { label: 'पहला उपनाम', required: 'अपना पहला उपनाम लिखें' },
} as const;

const options = {
  taxIdKind: {
    ssn: 'सामाजिक सुरक्षा संख्या (SSN)',
    itin: 'व्यक्तिगत करदाता पहचान संख्या (ITIN)',
  },
  documentType: {
    passport: 'पासपोर्ट',
    identityCard: 'पहचान पत्र',
    drivingLicence: 'ड्राइविंग लाइसेंस',
    residencePermit: 'निवास परमिट',
  },
  proofOfAddressType: {
    utilityBill: 'बिजली, गैस, पानी या इंटरनेट का बिल',
    bankStatement: 'बैंक स्टेटमेंट',
    taxLetter: 'कर कार्यालय का पत्र',
    governmentLetter: 'किसी सरकारी कार्यालय का दूसरा पत्र',
    rentalContract: 'किराए का अनुबंध',
  },
  sourceOfFunds: {
    salary: 'वेतन',
    selfEmployment: 'अपना व्यवसाय',
    pension: 'पेंशन',
    benefits: 'सरकारी सहायता',
    savings: 'बचत',
    saleOfProperty: 'संपत्ति की बिक्री',
    inheritance: 'विरासत',
    gift: 'उपहार',
    other: 'कुछ और',
  },
  politicallyExposed: { no: 'नहीं', yes: 'हाँ, मैं स्वयं', associate: 'हाँ, मेरा कोई क़रीबी' },
} as const;

const faults = {
  too_long: '{{label}}: यह बहुत लंबा है। {{limit}} या उससे कम अक्षर लिखें',
  wrong_format: '{{label}}: कम से कम एक अक्षर या अंक लिखें',
  control_characters: '{{label}}: वे चिह्न हटाएँ जो छापे नहीं जा सकते',
  not_allowed: '{{label}}: सूची में से एक चुनें',
  not_a_date: '{{label}}: कैलेंडर की कोई तारीख़ लिखें, उदाहरण के लिए {{example}}',
  too_young: 'आपकी उम्र कम से कम {{limit}} साल होनी चाहिए',
  bornTooLongAgo: '{{label}}: यह {{limit}} साल से भी पहले की है। साल जाँचें',
  tooOld: '{{label}}: दस्तावेज़ तीन महीने से ज़्यादा पुराना नहीं होना चाहिए',
  in_the_past: '{{label}}: दस्तावेज़ की अवधि ख़त्म हो चुकी है। कोई वैध दस्तावेज़ दें',
  in_the_future: '{{label}}: तारीख़ भविष्य की नहीं होनी चाहिए',
  wrong_check_digits: '{{label}}: कोई अक्षर या अंक ग़लत है या आगे-पीछे हो गया है। हर एक को अपने दस्तावेज़ से मिलाएँ',
  mrzCheckDigits: 'कोई चिह्न ठीक नहीं है। हर एक को दस्तावेज़ से मिलाएँ, या इसे ख़ाली छोड़ दें',
  lastFourDigits: 'ठीक चार अंक लिखें, उदाहरण के लिए 1234',
  phone: 'देश के कोड के साथ फ़ोन नंबर लिखें, उदाहरण के लिए +44 7700 900123',
  too_short: '{{label}}: यह बहुत छोटा है। कम से कम {{limit}} अक्षर या अंक लिखें',
  wrong_length: '{{label}}: आपके देश में इसमें {{limit}} अक्षर और अंक होते हैं, और आपने {{entered}} लिखे',
  wrong_characters: '{{label}}: सिर्फ़ अक्षर, अंक, ख़ाली जगह, बिंदु, स्लैश और हाइफ़न लिखें',
  separators: '{{label}}: शुरुआत और अंत अक्षर या अंक से करें, और उनके बीच सिर्फ़ एक ख़ाली जगह, बिंदु, स्लैश या हाइफ़न रखें',
  looksLike: '{{label}}: इसे अपने दस्तावेज़ से मिलाएँ। यह ऐसा दिखना चाहिए: {{example}}',
  postalCode: '{{label}}: यह आपके चुने हुए देश का नहीं है। वहाँ यह ऐसा दिखता है: {{example}}',
  incomplete_date: '{{label}}: दिन, महीना और साल लिखें, उदाहरण के लिए {{example}}',
  not_digits: '{{label}}: सिर्फ़ अंक लिखें, उदाहरण के लिए {{example}}',
  short_year: '{{label}}: साल चार अंकों में लिखें, उदाहरण के लिए {{example}}',
  no_such_month: '{{label}}: महीना 1 से 12 तक की संख्या होनी चाहिए',
  no_such_day: '{{label}}: उस महीने में दिन 1 से {{limit}} तक की संख्या होनी चाहिए',
  mrzLength:
    'मशीन से पढ़ी जाने वाली पंक्तियों में कुल 88, 72 या 90 चिह्न होते हैं, और आपने {{entered}} लिखे। हर अक्षर, अंक और < चिह्न लिखें, या इसे ख़ाली छोड़ दें',
  mrzCharacters: 'मशीन से पढ़ी जाने वाली पंक्तियाँ: सिर्फ़ A से Z तक के अक्षर, अंक और < चिह्न लिखें, या इसे ख़ाली छोड़ दें',
  phoneTooShort: 'फ़ोन नंबर: यह बहुत छोटा है। देश के कोड के साथ इसमें कम से कम {{limit}} अंक होते हैं',
  phoneTooLong: 'फ़ोन नंबर: यह बहुत लंबा है। देश के कोड के साथ इसमें ज़्यादा से ज़्यादा {{limit}} अंक होते हैं',
  phoneCharacters: 'फ़ोन नंबर: सिर्फ़ अंक, ख़ाली जगह, हाइफ़न और कोष्ठक लिखें, और शुरुआत में +',
} as const;

export const questionTexts = { questions, localNames, options, faults };
