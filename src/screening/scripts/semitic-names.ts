/** Usual given names in Arabic, Persian and Hebrew letters, with one of their Latin spellings: they tell the vowels. */

const list = `
محمد muhammad|أحمد ahmad|محمود mahmoud|حامد hamed|حميد hamid|علي ali|حسن hassan|حسين hussein|إبراهيم ibrahim|إسماعيل ismail|يوسف yusuf|يعقوب yaqub|إسحاق ishaq|موسى musa
عيسى isa|يحيى yahya|زكريا zakaria|داود dawood|سليمان suleiman|هارون harun|نوح nuh|آدم adam|عمر omar|عثمان othman|أبو abu|بكر bakr|خالد khalid|وليد walid|طارق tariq|زياد ziad|زيد zayd|سعد saad
سعيد saeed|مسعود masoud|سعود saud|فهد fahd|فيصل faisal|سلطان sultan|سلمان salman|سالم salem|سليم salim|سامي sami|سمير samir|منير munir|أمير amir|أمين amin|أمينة amina|أنور anwar|أنس anas|أسامة osama
أشرف ashraf|أكرم akram|أيمن ayman|إياد iyad|باسم basem|بشار bashar|بشير bashir|بلال bilal|جابر jaber|جاسم jassim|جعفر jafar|جلال jalal|جمال jamal|جميل jamil|جواد javad|حاتم hatem|حافظ hafez|حبيب habib
حسام hussam|حسني hosni|حمد hamad|حمزة hamza|حيدر haidar|خليل khalil|خليفة khalifa|خميس khamis|ربيع rabia|رشيد rashid|راشد rashed|رضا reza|رفيق rafiq|رمضان ramadan|رياض riyadh|زهير zuhair|زين zain
صالح saleh|صلاح salah|صدام saddam|صادق sadeq|صديق siddiq|طاهر taher|طه taha|ظافر zafer|عادل adel|عارف aref|عاطف atef|عامر amer|عباس abbas|عبدالله abdullah|عبدالرحمن abdulrahman|عبدالعزيز abdulaziz
عدنان adnan|عدي uday|عزت izzat|عزيز aziz|عصام issam|عماد imad|عمرو amr|عمار ammar|عمران imran|غازي ghazi|غسان ghassan|فادي fadi|فارس faris|فاروق farouk|فاضل fadel|فتحي fathi|فؤاد fuad|فرج faraj|فريد farid
فوزي fawzi|قاسم qasim|قصي qusay|كامل kamel|كمال kamal|كريم karim|لطفي lotfi|ماجد majed|مالك malik|ماهر maher|مبارك mubarak|مجيد majid|محسن mohsen|مختار mukhtar|مراد murad|مروان marwan|مصطفى mustafa
معمر muammar|منصور mansour|مهدي mehdi|ناجي naji|نادر nader|ناصر nasser|نبيل nabil|نجيب najib|نزار nizar|نصر nasr|نضال nidal|نعيم naim|نوري nouri|هادي hadi|هاشم hashem|هاني hani|هشام hisham|هيثم haitham
وائل wael|ياسر yasser|ياسين yassin|ياسمين yasmin|زينب zainab|فاطمة fatima|عائشة aisha|خديجة khadija|مريم maryam|سارة sara|ليلى layla|نور noor|هدى huda|سلمى salma|سميرة samira|زهراء zahra|زهرا zahra|رقية ruqayya|أمل amal
نوال nawal|سعاد suad|نادية nadia|رانيا rania|دينا dina|هند hind|لينا lina|منى mona|إيمان iman|رحمان rahman|رحمن rahman|رحيم rahim|شريف sharif|شيخ sheikh|ملك malik|خان khan|شاه shah|قادر qadir|ستار sattar|جبار jabbar
اکبر akbar|اصغر asghar|پرویز parviz|بهرام bahram|بهروز behrouz|بهمن bahman|بیژن bijan|جمشید jamshid|خسرو khosrow|داریوش dariush|رستم rostam|روح‌الله ruhollah|سهراب sohrab|سیامک siamak|شاپور shapour|شهرام shahram
شهریار shahriar|شیرین shirin|عطا ata|فرهاد farhad|فریدون fereydoun|کامران kamran|کوروش kourosh|کیوان keyvan|منوچهر manouchehr|مهران mehran|مهرداد mehrdad|میر mir|نرگس narges|نازنین nazanin|هوشنگ houshang|غلام gholam
حسینی hosseini|محمدی mohammadi|احمدی ahmadi|هاشمی hashemi|موسوی mousavi|کریمی karimi|رضایی rezaei
باقر bagher|الله allah|الدین eldin|اسلام islam|شیر sher|گل gul|نواز nawaz|اقبال iqbal
אברהם avraham|יצחק yitzhak|יעקב yaakov|שרה sarah|רבקה rivka|רחל rachel|לאה leah|יוסף yosef|בנימין benjamin|יהודה yehuda|שמעון shimon|לוי levi|ראובן reuven|דן dan|נפתלי naftali|גד gad|אשר asher|משה moshe|אהרון aharon
אהרן aharon|מרים miriam|יהושע yehoshua|דוד david|שלמה shlomo|שמואל shmuel|שאול shaul|יונתן jonathan|נתן natan|אליהו eliyahu|אלי eli|אלישע elisha|ישעיהו yeshayahu|ירמיהו yirmiyahu|יחזקאל yehezkel|דניאל daniel|מיכאל michael
גבריאל gabriel|רפאל rafael|אריאל ariel|אריה aryeh|זאב zeev|צבי zvi|דב dov|חיים haim|חנה hannah|אסתר esther|מרדכי mordechai|רות ruth|נעמי naomi|תמר tamar|דינה dina|יעל yael|דבורה deborah|מיכל michal|נועה noa|מאיה maya
איתמר itamar|איתן eitan|אייל eyal|אילן ilan|אלון alon|אמיר amir|אמנון amnon|אסף asaf|אפרים efraim|ארז erez|בועז boaz|ברוך baruch|גיא guy|גיל gil|גלעד gilad|זלמן zalman|חגי hagai|טל tal|יאיר yair|יגאל yigal|יואב yoav|יואל yoel
יובל yuval|יורם yoram|יחיאל yehiel|יניב yaniv|ישראל israel|ליאור lior|מאיר meir|מנחם menachem|מנשה menashe|נדב nadav|נחום nahum|ניר nir|נמרוד nimrod|עומר omer|עוזי uzi|עידו ido|עידן idan|עמוס amos|עמית amit|עמיר amir
עפר ofer|עופר ofer|פנחס pinchas|צחי tzachi|ציפי tzipi|קובי kobi|רוני roni|רון ron|רם ram|רמי rami|שי shai|שלום shalom|שמחה simcha|שרון sharon|תומר tomer|אורי uri|אביגדור avigdor|אבי avi|אביב aviv|אבנר avner|אהוד ehud|אורית orit
כהן cohen|לוין levin|פרידמן friedman|כץ katz|ביטון biton|מזרחי mizrahi|פרץ peretz|אזולאי azoulay|גולדה golda|בני benny|גל gal|נטלי natalie|עדי adi|ענת anat|שירה shira|הדס hadas|אלכסנדר alexander|מקסים maxim|ולדימיר vladimir
`;

/** One form of each letter: without vowel signs, and as Arabic writes what Persian and Urdu write otherwise. */
export function plainLetters(word: string): string {
  return word
    .replaceAll(/[\u064b-\u065f\u0670\u0640\u0591-\u05c7]/g, '')
    .replaceAll(/[یىےې]/g, 'ي')
    .replaceAll('ک', 'ك')
    .replaceAll(/[أإآٱ]/g, 'ا')
    .replaceAll(/[ہھۀ]/g, 'ه');
}

const latinByName: ReadonlyMap<string, string> = new Map(
  list
    .trim()
    .split(/[|\n]/)
    .map((item) => {
      const [own = '', latin = ''] = item.trim().split(' ');
      return [keyOf(own), latin] as const;
    }),
);

/** The usual Latin form of a name; undefined when it is not a usual name. */
export function latinGivenName(word: string): string | undefined {
  return latinByName.get(keyOf(word));
}

/** Persian writes a plain h where Arabic has the feminine ending. */
function keyOf(word: string): string {
  return plainLetters(word).replaceAll('\u200c', '').replaceAll('ة', 'ه');
}
