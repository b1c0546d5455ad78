/**
 * Well-known people and common names, in their own script and as newspapers and lists write them in Latin letters. The
 * Latin forms follow habit, not a rule: that is what a search meets.
 */
const namesOfScripts: Readonly<Record<string, string>> = {
  Chinese: `
    习近平 Xi Jinping|胡锦涛 Hu Jintao|江泽民 Jiang Zemin|李克强 Li Keqiang|温家宝 Wen Jiabao|邓小平 Deng Xiaoping
    毛泽东 Mao Zedong|周恩来 Zhou Enlai|刘少奇 Liu Shaoqi|朱镕基 Zhu Rongji|薄熙来 Bo Xilai|周永康 Zhou Yongkang
    王岐山 Wang Qishan|李强 Li Qiang|王毅 Wang Yi|赵紫阳 Zhao Ziyang|马云 Ma Yun|任正非 Ren Zhengfei
    姚明 Yao Ming|刘翔 Liu Xiang|郎平 Lang Ping|莫言 Mo Yan|鲁迅 Lu Xun|巴金 Ba Jin|艾未未 Ai Weiwei
    刘晓波 Liu Xiaobo|陈光诚 Chen Guangcheng|张艺谋 Zhang Yimou|巩俐 Gong Li|章子怡 Zhang Ziyi|欧阳娜娜 Ouyang Nana
    司马南 Sima Nan|屠呦呦 Tu Youyou|袁隆平 Yuan Longping|蔡英文 Tsai Ing-wen|馬英九 Ma Ying-jeou|賴清德 Lai Ching-te
    王小明 Wang Xiaoming|李秀英 Li Xiuying|张伟 Zhang Wei|陈建国 Chen Jianguo|黄志强 Huang Zhiqiang|吕洪波 Lü Hongbo
    曾庆红 Zeng Qinghong|谢振华 Xie Zhenhua|徐才厚 Xu Caihou|郭伯雄 Guo Boxiong
    王健林 Wang Jianlin|刘强东 Liu Qiangdong|马化腾 Ma Huateng|李彦宏 Li Yanhong|钟南山 Zhong Nanshan|成龙 Cheng Long|孟晚舟 Meng Wanzhou
    陈水扁 Chen Shui-bian|李登輝 Lee Teng-hui|張忠謀 Chang Chung-mou|彭帅 Peng Shuai|汪洋 Wang Yang|栗战书 Li Zhanshu|韩正 Han Zheng
    许家印 Xu Jiayin`,
  Japanese: `
    安倍晋三 Shinzo Abe|岸田文雄 Fumio Kishida|菅義偉 Yoshihide Suga|小泉純一郎 Junichiro Koizumi|麻生太郎 Taro Aso
    石破茂 Shigeru Ishiba|鳩山由紀夫 Yukio Hatoyama|野田佳彦 Yoshihiko Noda|村上春樹 Haruki Murakami|大江健三郎 Kenzaburo Oe
    川端康成 Yasunari Kawabata|三島由紀夫 Yukio Mishima|黒澤明 Akira Kurosawa|宮崎駿 Hayao Miyazaki|北野武 Takeshi Kitano
    大谷翔平 Shohei Ohtani|鈴木一朗 Ichiro Suzuki|本田圭佑 Keisuke Honda|羽生結弦 Yuzuru Hanyu|大坂なおみ Naomi Osaka
    小野洋子 Yoko Ono|坂本龍一 Ryuichi Sakamoto|山中伸弥 Shinya Yamanaka|豊田章男 Akio Toyoda|孫正義 Masayoshi Son
    麻原彰晃 Shoko Asahara|田中角栄 Kakuei Tanaka|中曽根康弘 Yasuhiro Nakasone|佐藤健 Takeru Sato|渡辺謙 Ken Watanabe
    たなか ゆうこ Yuko Tanaka|すずき はなこ Hanako Suzuki|サトウ ヒロシ Hiroshi Sato|ワタナベ ケンジ Kenji Watanabe
    イチロー Ichiro|やまだ たろう Taro Yamada|コバヤシ ケンタロウ Kentaro Kobayashi|きむら しゅんすけ Shunsuke Kimura
    オノ ヨーコ Yoko Ono|カトウ マサヒロ Masahiro Kato|つじもと ちえ Chie Tsujimoto|ムラカミ リョウ Ryo Murakami
    河野太郎 Taro Kono|茂木敏充 Toshimitsu Motegi|高市早苗 Sanae Takaichi|枝野幸男 Yukio Edano|福田康夫 Yasuo Fukuda|森喜朗 Yoshiro Mori
    橋本龍太郎 Ryutaro Hashimoto|渡部恒三 Kozo Watanabe|久保建英 Takefusa Kubo|香川真司 Shinji Kagawa|錦織圭 Kei Nishikori|宇多田ヒカル Hikaru Utada
    芥川龍之介 Ryunosuke Akutagawa|山田花子 Hanako Yamada|さくら ももこ Momoko Sakura|中島みゆき Miyuki Nakajima`,
  Korean: `
    김정은 Kim Jong Un|김정일 Kim Jong Il|김일성 Kim Il Sung|김여정 Kim Yo Jong|문재인 Moon Jae-in|박근혜 Park Geun-hye
    이명박 Lee Myung-bak|노무현 Roh Moo-hyun|김대중 Kim Dae-jung|윤석열 Yoon Suk Yeol|이재명 Lee Jae-myung|반기문 Ban Ki-moon
    이재용 Lee Jae-yong|손흥민 Son Heung-min|박지성 Park Ji-sung|류현진 Ryu Hyun-jin|김연아 Kim Yuna|봉준호 Bong Joon-ho
    박찬욱 Park Chan-wook|송강호 Song Kang-ho|이병헌 Lee Byung-hun|배두나 Bae Doona|한강 Han Kang|전지현 Jun Ji-hyun
    최순실 Choi Soon-sil|정몽구 Chung Mong-koo|장성택 Jang Song Thaek|최룡해 Choe Ryong Hae|리영호 Ri Yong Ho|박정희 Park Chung-hee
    이승만 Syngman Rhee|전두환 Chun Doo-hwan|노태우 Roh Tae-woo|조국 Cho Kuk|한덕수 Han Duck-soo|김민수 Kim Minsu
    이영희 Lee Young-hee|박서준 Park Seo-joon|최수정 Choi Soo-jung|정은지 Jung Eun-ji|황교안 Hwang Kyo-ahn|안철수 Ahn Cheol-soo
    박지원 Park Jie-won|이낙연 Lee Nak-yon|정세균 Chung Sye-kyun|추미애 Choo Mi-ae|홍준표 Hong Joon-pyo|유승민 Yoo Seong-min
    심상정 Sim Sang-jung|최태원 Chey Tae-won|김범수 Kim Beom-su|이강인 Lee Kang-in|김민재 Kim Min-jae|강경화 Kang Kyung-wha
    현송월 Hyon Song Wol|김영남 Kim Yong Nam|박봉주 Pak Pong Ju|황병서 Hwang Pyong So`,
  Hebrew: `
    בנימין נתניהו Benjamin Netanyahu|יצחק רבין Yitzhak Rabin|שמעון פרס Shimon Peres|אריאל שרון Ariel Sharon|אהוד ברק Ehud Barak
    אהוד אולמרט Ehud Olmert|ציפי לבני Tzipi Livni|גולדה מאיר Golda Meir|דוד בן גוריון David Ben-Gurion|נפתלי בנט Naftali Bennett
    יאיר לפיד Yair Lapid|משה דיין Moshe Dayan|ראובן ריבלין Reuven Rivlin|מנחם בגין Menachem Begin|יצחק שמיר Yitzhak Shamir
    בני גנץ Benny Gantz|אביגדור ליברמן Avigdor Lieberman|יצחק הרצוג Isaac Herzog|עמוס עוז Amos Oz|דוד גרוסמן David Grossman
    גל גדות Gal Gadot|נטלי פורטמן Natalie Portman|איתמר בן גביר Itamar Ben-Gvir|בצלאל סמוטריץ Bezalel Smotrich|יואב גלנט Yoav Gallant
    משה כץ Moshe Katz|שרה לוי Sarah Levy|רחל כהן Rachel Cohen|יוסף מזרחי Yosef Mizrahi|אברהם פרידמן Avraham Friedman
    שלמה גולדשטיין Shlomo Goldstein|חיים וייצמן Chaim Weizmann|תמר ביטון Tamar Biton|נועה אזולאי Noa Azoulay|מאיר דגן Meir Dagan
    אלי כהן Eli Cohen|יונתן פולארד Jonathan Pollard|אפרים הלוי Efraim Halevy
    יצחק בן צבי Yitzhak Ben-Zvi|זלמן שזר Zalman Shazar|עזר ויצמן Ezer Weizman|משה קצב Moshe Katsav|לוי אשכול Levi Eshkol
    יאיר גולן Yair Golan|אבי דיכטר Avi Dichter|ישראל כץ Israel Katz|גדעון סער Gideon Saar|אורית סטרוק Orit Strook
    מירי רגב Miri Regev|יולי אדלשטיין Yuli Edelstein|אריה דרעי Aryeh Deri|עופר עיני Ofer Eini|רונן בר Ronen Bar
    דני אלון Danny Ayalon|גבי אשכנזי Gabi Ashkenazi`,
  Thai: `
    ทักษิณ ชินวัตร Thaksin Shinawatra|ยิ่งลักษณ์ ชินวัตร Yingluck Shinawatra|แพทองธาร ชินวัตร Paetongtarn Shinawatra
    ประยุทธ์ จันทร์โอชา Prayut Chan-o-cha|อภิสิทธิ์ เวชชาชีวะ Abhisit Vejjajiva|สมัคร สุนทรเวช Samak Sundaravej
    สมชาย วงศ์สวัสดิ์ Somchai Wongsawat|เศรษฐา ทวีสิน Srettha Thavisin|พิธา ลิ้มเจริญรัตน์ Pita Limjaroenrat
    ชวน หลีกภัย Chuan Leekpai|บรรหาร ศิลปอาชา Banharn Silpa-archa|ชวลิต ยงใจยุทธ Chavalit Yongchaiyudh
    สนธิ ลิ้มทองกุล Sondhi Limthongkul|สุเทพ เทือกสุบรรณ Suthep Thaugsuban|ประวิตร วงษ์สุวรรณ Prawit Wongsuwan
    อนุทิน ชาญวีรกูล Anutin Charnvirakul|ธนาธร จึงรุ่งเรืองกิจ Thanathorn Juangroongruangkit|จตุพร พรหมพันธุ์ Jatuporn Prompan
    สมศักดิ์ เจียมธีรสกุล Somsak Jeamteerasakul|ปรีดี พนมยงค์ Pridi Banomyong|สฤษดิ์ ธนะรัชต์ Sarit Thanarat
    ถนอม กิตติขจร Thanom Kittikachorn|เปรม ติณสูลานนท์ Prem Tinsulanonda|อานันท์ ปันยารชุน Anand Panyarachun
    สุรยุทธ์ จุลานนท์ Surayud Chulanont|จา พนม Jaa Panom|สมชาย ใจดี Somchai Jaidee|สุชาติ แก้วมณี Suchart Kaewmanee
    นภา สุขสวัสดิ์ Napa Suksawat|วิชัย ศรีวัฒนประภา Vichai Srivaddhanaprabha|กนกวรรณ บุญมี Kanokwan Boonmee`,
  Arabic: `
    معمر القذافي Muammar Gaddafi|صدام حسين Saddam Hussein|بشار الأسد Bashar al-Assad|حسني مبارك Hosni Mubarak|أنور السادات Anwar Sadat
    جمال عبد الناصر Gamal Abdel Nasser|ياسر عرفات Yasser Arafat|محمود عباس Mahmoud Abbas|نجيب محفوظ Naguib Mahfouz
    عبد الفتاح السيسي Abdel Fattah el-Sisi|محمد مرسي Mohamed Morsi|محمد صلاح Mohamed Salah|حسن نصر الله Hassan Nasrallah
    رفيق الحريري Rafic Hariri|عمر البشير Omar al-Bashir|أسامة بن لادن Osama bin Laden|أيمن الظواهري Ayman al-Zawahiri
    أبو بكر البغدادي Abu Bakr al-Baghdadi|خالد شيخ محمد Khalid Sheikh Mohammed|إسماعيل هنية Ismail Haniyeh|يحيى السنوار Yahya Sinwar
    خليفة حفتر Khalifa Haftar|علي عبد الله صالح Ali Abdullah Saleh|عبد ربه منصور هادي Abdrabbuh Mansur Hadi
    محمد بن سلمان Mohammed bin Salman|زين العابدين بن علي Zine El Abidine Ben Ali|عبد العزيز بوتفليقة Abdelaziz Bouteflika
    نوري المالكي Nouri al-Maliki|مقتدى الصدر Muqtada al-Sadr|علي السيستاني Ali al-Sistani|جلال طالباني Jalal Talabani
    فيروز حداد Fairuz Haddad|محمود درويش Mahmoud Darwish|أم كلثوم Umm Kulthum|طارق عزيز Tariq Aziz|عدي حسين Uday Hussein
    قصي حسين Qusay Hussein|يوسف القرضاوي Yusuf al-Qaradawi|فاطمة الزهراء محمود Fatima Zahra Mahmoud|خالد مشعل Khaled Mashal
    سيف الإسلام القذافي Saif al-Islam Gaddafi|فلاديمير بوتين Vladimir Putin
    حازم الببلاوي Hazem el-Beblawi|عدلي منصور Adly Mansour|سعد الحريري Saad Hariri|ميشال عون Michel Aoun
    نبيه بري Nabih Berri|محمد بن زايد Mohamed bin Zayed|تميم بن حمد Tamim bin Hamad|الباجي قائد السبسي Beji Caid Essebsi
    قيس سعيد Kais Saied|عبد المجيد تبون Abdelmadjid Tebboune|برهم صالح Barham Salih|حيدر العبادي Haider al-Abadi
    أبو مصعب الزرقاوي Abu Musab al-Zarqawi|عبد الحميد الدبيبة Abdul Hamid Dbeibeh|محمد الضيف Mohammed Deif
    حسن البنا Hassan al-Banna|سيد قطب Sayyid Qutb|رياض سلامة Riad Salameh`,
  Persian: `
    علی خامنه‌ای Ali Khamenei|روح‌الله خمینی Ruhollah Khomeini|حسن روحانی Hassan Rouhani|محمود احمدی‌نژاد Mahmoud Ahmadinejad
    محمد خاتمی Mohammad Khatami|ابراهیم رئیسی Ebrahim Raisi|محمد جواد ظریف Mohammad Javad Zarif|قاسم سلیمانی Qasem Soleimani
    اکبر هاشمی رفسنجانی Akbar Hashemi Rafsanjani|میرحسین موسوی Mir-Hossein Mousavi|مهدی کروبی Mehdi Karroubi|علی لاریجانی Ali Larijani
    محمدباقر قالیباف Mohammad Bagher Ghalibaf|اسماعیل قاآنی Esmail Qaani|حسین سلامی Hossein Salami|محسن رضایی Mohsen Rezaei
    سعید جلیلی Saeed Jalili|مسعود پزشکیان Masoud Pezeshkian|عباس عراقچی Abbas Araghchi|محسن فخری‌زاده Mohsen Fakhrizadeh
    شیرین عبادی Shirin Ebadi|نرگس محمدی Narges Mohammadi|عباس کیارستمی Abbas Kiarostami|اصغر فرهادی Asghar Farhadi
    علی دایی Ali Daei|رضا پهلوی Reza Pahlavi|محمد مصدق Mohammad Mosaddegh|پرویز مشرف Pervez Musharraf|رستم قاسمی Rostam Ghasemi
    احمد وحیدی Ahmad Vahidi|غلامعلی حداد عادل Gholam-Ali Haddad-Adel|حمید رضا کریمی Hamid Reza Karimi|زهرا حسینی Zahra Hosseini
    مهران رجبی Mehran Rajabi|فریدون عباسی Fereydoon Abbasi|گلشیفته فراهانی Golshifteh Farahani|اشرف غنی Ashraf Ghani
    حامد کرزی Hamid Karzai|گلبدین حکمتیار Gulbuddin Hekmatyar
    احمد خاتمی Ahmad Khatami|حسین امیرعبداللهیان Hossein Amir-Abdollahian|محمدعلی جعفری Mohammad Ali Jafari
    رحیم صفوی Rahim Safavi|اسحاق جهانگیری Eshaq Jahangiri|صادق زیباکلام Sadegh Zibakalam|بهزاد نبوی Behzad Nabavi
    محمدرضا شجریان Mohammad-Reza Shajarian|فرح پهلوی Farah Pahlavi|مریم میرزاخانی Maryam Mirzakhani
    عبدالکریم سروش Abdolkarim Soroush|محسن مخملباف Mohsen Makhmalbaf|جعفر پناهی Jafar Panahi|سردار آزمون Sardar Azmoun
    عبدالله عبدالله Abdullah Abdullah|نادر طالب زاده Nader Talebzadeh|علی شمخانی Ali Shamkhani
    حسن فیروزآبادی Hassan Firouzabadi`,
  Cyrillic: `
    Владимир Путин Vladimir Putin|Дмитрий Медведев Dmitry Medvedev|Сергей Лавров Sergey Lavrov|Михаил Горбачёв Mikhail Gorbachev
    Борис Ельцин Boris Yeltsin|Никита Хрущёв Nikita Khrushchev|Володимир Зеленський Volodymyr Zelenskyy|Петро Порошенко Petro Poroshenko
    Юлія Тимошенко Yulia Tymoshenko|Виталий Кличко Vitali Klitschko|Александр Лукашенко Alexander Lukashenko|Алексей Навальный Alexei Navalny
    Евгений Пригожин Yevgeny Prigozhin|Рамзан Кадыров Ramzan Kadyrov|Сергей Шойгу Sergei Shoigu|Николай Патрушев Nikolai Patrushev
    Игорь Сечин Igor Sechin|Аркадий Ротенберг Arkady Rotenberg|Геннадий Тимченко Gennady Timchenko|Юрий Ковальчук Yuri Kovalchuk
    Алишер Усманов Alisher Usmanov|Роман Абрамович Roman Abramovich|Олег Дерипаска Oleg Deripaska|Виктор Янукович Viktor Yanukovych
    Новак Ђоковић Novak Djokovic|Александар Вучић Aleksandar Vucic|Слободан Милошевић Slobodan Milosevic|Ратко Младић Ratko Mladic
    Бойко Борисов Boyko Borisov|Георги Първанов Georgi Parvanov|Нурсултан Назарбаев Nursultan Nazarbayev|Эмомали Рахмон Emomali Rahmon
    Пётр Чайковский Pyotr Tchaikovsky|Фёдор Достоевский Fyodor Dostoevsky|Лев Толстой Leo Tolstoy|Юрий Гагарин Yuri Gagarin
    Мария Шарапова Maria Sharapova|Анна Курникова Anna Kournikova|Семён Могилевич Semion Mogilevich|Виктор Бут Viktor Bout
    Джохар Дудаев Dzhokhar Dudayev|Кирил Петков Kiril Petkov
    Анатолий Чубайс Anatoly Chubais|Герман Греф Herman Gref|Вагит Алекперов Vagit Alekperov|Елена Батурина Yelena Baturina
    Валентина Матвиенко Valentina Matviyenko|Вячеслав Володин Vyacheslav Volodin|Ігор Коломойський Ihor Kolomoyskyi
    Рінат Ахметов Rinat Akhmetov|Віталій Хоменко Vitaliy Khomenko|Андрій Єрмак Andriy Yermak
    Светлана Тихановская Sviatlana Tsikhanouskaya|Јосип Броз Josip Broz|Иво Андрић Ivo Andric
    Радован Караџић Radovan Karadzic|Садыр Жапаров Sadyr Japarov|Щербакова Наталья Shcherbakova Natalya`,
  Greek: `
    Κυριάκος Μητσοτάκης Kyriakos Mitsotakis|Αλέξης Τσίπρας Alexis Tsipras|Κώστας Σημίτης Costas Simitis|Ντόρα Μπακογιάννη Dora Bakoyanni
    Γιάνης Βαρουφάκης Yanis Varoufakis|Ανδρέας Παπανδρέου Andreas Papandreou|Μίκης Θεοδωράκης Mikis Theodorakis|Νίκος Καζαντζάκης Nikos Kazantzakis
    Ευάγγελος Βενιζέλος Evangelos Venizelos|Μαρία Κάλλας Maria Callas|Κωνσταντίνος Καραμανλής Konstantinos Karamanlis|Γιώργος Παπανδρέου George Papandreou
    Αντώνης Σαμαράς Antonis Samaras|Λουκάς Παπαδήμος Lucas Papademos|Προκόπης Παυλόπουλος Prokopis Pavlopoulos|Κατερίνα Σακελλαροπούλου Katerina Sakellaropoulou
    Νίκος Αναστασιάδης Nicos Anastasiades|Δημήτρης Χριστόφιας Demetris Christofias|Τάσσος Παπαδόπουλος Tassos Papadopoulos|Αριστοτέλης Ωνάσης Aristotle Onassis
    Σταύρος Νιάρχος Stavros Niarchos|Γιάννης Αντετοκούνμπο Giannis Antetokounmpo|Στέφανος Τσιτσιπάς Stefanos Tsitsipas|Βαγγέλης Παπαθανασίου Vangelis Papathanassiou
    Οδυσσέας Ελύτης Odysseas Elytis|Γιώργος Σεφέρης George Seferis|Μελίνα Μερκούρη Melina Mercouri|Ειρήνη Παπά Irene Papas
    Θεόδωρος Αγγελόπουλος Theodoros Angelopoulos|Χρήστος Οικονόμου Christos Oikonomou|Ελένη Γεωργίου Eleni Georgiou|Παναγιώτης Χατζής Panagiotis Hatzis
    Αθανάσιος Νικολαΐδης Athanasios Nikolaidis|Ιωάννης Καποδίστριας Ioannis Kapodistrias|Νίκος Παππάς Nikos Pappas
    Νίκος Δένδιας Nikos Dendias|Δημήτρης Κουτσούμπας Dimitris Koutsoumbas|Άδωνις Γεωργιάδης Adonis Georgiadis
    Όλγα Κεφαλογιάννη Olga Kefalogianni|Γιάννης Στουρνάρας Yannis Stournaras|Φώφη Γεννηματά Fofi Gennimata
    Πάνος Καμμένος Panos Kammenos|Ευκλείδης Τσακαλώτος Euclid Tsakalotos|Χάρις Αλεξίου Haris Alexiou
    Ζωή Κωνσταντοπούλου Zoe Konstantopoulou|Ηλίας Κασιδιάρης Ilias Kasidiaris|Μιχάλης Χατζηγιάννης Michalis Hatzigiannis
    Ντίνος Χριστιανόπουλος Dinos Christianopoulos|Σπύρος Λάτσης Spiros Latsis`,
  Devanagari: `
    नरेन्द्र मोदी Narendra Modi|राहुल गांधी Rahul Gandhi|अमित शाह Amit Shah|मनमोहन सिंह Manmohan Singh|सोनिया गांधी Sonia Gandhi
    अटल बिहारी वाजपेयी Atal Bihari Vajpayee|इंदिरा गांधी Indira Gandhi|जवाहरलाल नेहरू Jawaharlal Nehru|महात्मा गांधी Mahatma Gandhi
    अमिताभ बच्चन Amitabh Bachchan|शाहरुख़ ख़ान Shah Rukh Khan|सचिन तेंदुलकर Sachin Tendulkar|विराट कोहली Virat Kohli|लता मंगेशकर Lata Mangeshkar
    दाऊद इब्राहिम Dawood Ibrahim|अरविंद केजरीवाल Arvind Kejriwal|योगी आदित्यनाथ Yogi Adityanath|ममता बनर्जी Mamata Banerjee|लालू प्रसाद यादव Lalu Prasad Yadav
    नीतीश कुमार Nitish Kumar|शरद पवार Sharad Pawar|उद्धव ठाकरे Uddhav Thackeray|प्रियंका चोपड़ा Priyanka Chopra|ऐश्वर्या राय Aishwarya Rai
    सुभाष चंद्र बोस Subhas Chandra Bose|पुष्प कमल दाहाल Pushpa Kamal Dahal|केपी शर्मा ओली KP Sharma Oli|शेर बहादुर देउवा Sher Bahadur Deuba
    राजेश शर्मा Rajesh Sharma|सुनीता देवी Sunita Devi|विजय माल्या Vijay Mallya|नीरव मोदी Nirav Modi|रमेश चौधरी Ramesh Chaudhary
    प्रकाश अंबेडकर Prakash Ambedkar|अनिल अंबानी Anil Ambani|दीपिका पादुकोण Deepika Padukone|देवेंद्र फडणवीस Devendra Fadnavis
    राजनाथ सिंह Rajnath Singh|निर्मला सीतारमण Nirmala Sitharaman|अरुण जेटली Arun Jaitley|सुषमा स्वराज Sushma Swaraj
    लालकृष्ण आडवाणी Lal Krishna Advani|मायावती प्रभु दास Mayawati Prabhu Das|अखिलेश यादव Akhilesh Yadav
    मुलायम सिंह यादव Mulayam Singh Yadav|रणवीर कपूर Ranbir Kapoor|माधुरी दीक्षित Madhuri Dixit|सलमान खान Salman Khan
    आशा भोसले Asha Bhosle|मुकेश अंबानी Mukesh Ambani|छोटा राजन Chhota Rajan|बालासाहेब ठाकरे Balasaheb Thackeray
    रामनाथ कोविंद Ram Nath Kovind|कृष्णा पटेल Krishna Patel|सविता भट्टाचार्य Savita Bhattacharya`,
  Bengali: `
    শেখ হাসিনা Sheikh Hasina|শেখ মুজিবুর রহমান Sheikh Mujibur Rahman|খালেদা জিয়া Khaleda Zia|মুহাম্মদ ইউনূস Muhammad Yunus|জিয়াউর রহমান Ziaur Rahman
    তারেক রহমান Tarique Rahman|হুসেইন মুহম্মদ এরশাদ Hussain Muhammad Ershad|রবীন্দ্রনাথ ঠাকুর Rabindranath Thakur|কাজী নজরুল ইসলাম Kazi Nazrul Islam
    সত্যজিৎ রায় Satyajit Ray|মমতা বন্দ্যোপাধ্যায় Mamata Bandyopadhyay|সৌরভ গাঙ্গুলী Sourav Ganguly|অমর্ত্য সেন Amartya Sen|জ্যোতি বসু Jyoti Basu
    তসলিমা নাসরিন Taslima Nasrin|হুমায়ূন আহমেদ Humayun Ahmed|সাকিব আল হাসান Shakib Al Hasan|তামিম ইকবাল Tamim Iqbal|মাশরাফি মুর্তজা Mashrafe Mortaza
    মুশফিকুর রহিম Mushfiqur Rahim|আবদুল হামিদ Abdul Hamid|মোহাম্মদ সাহাবুদ্দিন Mohammed Shahabuddin|মতিউর রহমান নিজামী Motiur Rahman Nizami
    দেলাওয়ার হোসাইন সাঈদী Delwar Hossain Sayeedi|গোলাম আযম Ghulam Azam|সুভাষচন্দ্র বসু Subhas Chandra Bose|জীবনানন্দ দাশ Jibanananda Das
    ঋতুপর্ণ ঘোষ Rituparno Ghosh|মিঠুন চক্রবর্তী Mithun Chakraborty|সুচিত্রা সেন Suchitra Sen|রহিমা খাতুন Rahima Khatun|আব্দুল করিম Abdul Karim
    ফাতেমা বেগম Fatema Begum|নাহিদ ইসলাম Nahid Islam|কামাল হোসেন Kamal Hossain
    শেখ রেহানা Sheikh Rehana|ওবায়দুল কাদের Obaidul Quader|মির্জা ফখরুল ইসলাম আলমগীর Mirza Fakhrul Islam Alamgir
    আসাদুজ্জামান খান Asaduzzaman Khan|ফজলে হাসান আবেদ Fazle Hasan Abed|সজীব ওয়াজেদ Sajeeb Wazed
    মোস্তাফিজুর রহমান Mustafizur Rahman|বুদ্ধদেব ভট্টাচার্য Buddhadeb Bhattacharya
    অভিষেক বন্দ্যোপাধ্যায় Abhishek Banerjee|ঋত্বিক ঘটক Ritwik Ghatak|সুনীল গঙ্গোপাধ্যায় Sunil Gangopadhyay
    শাহরিয়ার কবির Shahriar Kabir|জাহানারা ইমাম Jahanara Imam|রফিকুল হক Rafiqul Haque|নুসরাত জাহান Nusrat Jahan
    প্রণব মুখোপাধ্যায় Pranab Mukherjee
    মাহমুদুর রহমান মান্না Mahmudur Rahman Manna|আনিসুল হক Anisul Huq|রাশেদ খান মেনন Rashed Khan Menon
    হাসানুল হক ইনু Hasanul Haq Inu|সৈয়দ আশরাফুল ইসলাম Syed Ashraful Islam|তোফায়েল আহমেদ Tofail Ahmed
    মওদুদ আহমদ Moudud Ahmed|রিজভী আহমেদ Rizvi Ahmed|লিটন দাস Litton Das
    মাহমুদউল্লাহ রিয়াদ Mahmudullah Riyad|তাসকিন আহমেদ Taskin Ahmed|মেহেদী হাসান মিরাজ Mehidy Hasan Miraz
    শাকিব খান Shakib Khan|জয়া আহসান Jaya Ahsan|মোশাররফ করিম Mosharraf Karim
    চঞ্চল চৌধুরী Chanchal Chowdhury|হুমায়ুন ফরীদি Humayun Faridi|রুনা লায়লা Runa Laila
    সাবিনা ইয়াসমিন Sabina Yasmin|মাহফুজ আনাম Mahfuz Anam|সৈয়দ মুজতবা আলী Syed Mujtaba Ali
    শামসুর রাহমান Shamsur Rahman|বিভূতিভূষণ বন্দ্যোপাধ্যায় Bibhutibhushan Bandyopadhyay|শরৎচন্দ্র চট্টোপাধ্যায় Sarat Chandra Chattopadhyay
    উত্তম কুমার Uttam Kumar|সৌমিত্র চট্টোপাধ্যায় Soumitra Chatterjee|অপর্ণা সেন Aparna Sen
    প্রসেনজিৎ চট্টোপাধ্যায় Prosenjit Chatterjee|কৌশিক গাঙ্গুলী Kaushik Ganguly|শুভেন্দু অধিকারী Suvendu Adhikari
    মহুয়া মৈত্র Mahua Moitra|অধীর রঞ্জন চৌধুরী Adhir Ranjan Chowdhury|বিমান বসু Biman Bose
    ইলিয়াস কাঞ্চন Ilias Kanchan|নূরুল ইসলাম Nurul Islam|আব্দুর রাজ্জাক Abdur Razzak
    জাহাঙ্গীর আলম Jahangir Alam|রোকেয়া বেগম Rokeya Begum|তানিয়া আক্তার Tania Akter
    সুমাইয়া খাতুন Sumaiya Khatun`,
  Tamil: `
    மு கருணாநிதி M Karunanidhi|மு க ஸ்டாலின் M K Stalin|ஜெ ஜெயலலிதா J Jayalalithaa|எடப்பாடி பழனிசாமி Edappadi Palaniswami|ஓ பன்னீர்செல்வம் O Panneerselvam
    வேலுப்பிள்ளை பிரபாகரன் Velupillai Prabhakaran|அன்டன் பாலசிங்கம் Anton Balasingham|ரஜினிகாந்த் Rajinikanth|கமல்ஹாசன் Kamal Haasan|விஜய் சேதுபதி Vijay Sethupathi
    ஏ ஆர் ரகுமான் A R Rahman|இளையராஜா Ilaiyaraaja|அப்துல் கலாம் Abdul Kalam|சுந்தர் பிச்சை Sundar Pichai|விஸ்வநாதன் ஆனந்த் Viswanathan Anand
    ரவிச்சந்திரன் அஸ்வின் Ravichandran Ashwin|தினேஷ் கார்த்திக் Dinesh Karthik|காமராஜர் குமாரசாமி Kamarajar Kumaraswami|சி ராஜகோபாலாச்சாரி C Rajagopalachari
    சுப்பிரமணிய பாரதி Subramania Bharati|நிர்மலா சீதாராமன் Nirmala Sitharaman|பழனிவேல் தியாகராஜன் Palanivel Thiagarajan|சீமான் செபாஸ்டியன் Seeman Sebastian
    வைகோ கோபால்சாமி Vaiko Gopalsamy|உதயநிதி ஸ்டாலின் Udhayanidhi Stalin|கனிமொழி கருணாநிதி Kanimozhi Karunanidhi|தொல் திருமாவளவன் Thol Thirumavalavan
    முருகன் செல்வராஜ் Murugan Selvaraj|லட்சுமி நாராயணன் Lakshmi Narayanan|சுரேஷ் கிருஷ்ணன் Suresh Krishnan|மீனாட்சி சுந்தரம் Meenakshi Sundaram
    ஆறுமுகம் தொண்டமான் Arumugam Thondaman|செல்லையா யோகராஜா Chelliah Yogarajah|மகிந்த ராஜபக்ச Mahinda Rajapaksa|இரா சம்பந்தன் R Sampanthan
    எம் ஜி ராமச்சந்திரன் M G Ramachandran|சி என் அண்ணாதுரை C N Annadurai|பெரியார் ராமசாமி Periyar Ramasamy
    டி டி வி தினகரன் T T V Dhinakaran|அன்புமணி ராமதாஸ் Anbumani Ramadoss|திருமுருகன் காந்தி Thirumurugan Gandhi
    மணி ரத்னம் Mani Ratnam|வைரமுத்து கண்ணதாசன் Vairamuthu Kannadasan|விஜயகாந்த் Vijayakanth
    சூர்யா சிவகுமார் Suriya Sivakumar|ஸ்ரீனிவாச ராமானுஜன் Srinivasa Ramanujan|அமிர்தலிங்கம் Amirthalingam
    கருணா அம்மான் Karuna Amman|ரணில் விக்ரமசிங்க Ranil Wickremesinghe|பாலகிருஷ்ணன் Balakrishnan|தமிழ்ச்செல்வன் Tamilselvan
    தங்கவேலு Thangavelu
    சசிகலா நடராஜன் Sasikala Natarajan|டி ராஜா D Raja|ப சிதம்பரம் P Chidambaram
    கார்த்தி சிதம்பரம் Karti Chidambaram|அண்ணாமலை குப்புசாமி Annamalai Kuppusamy|செந்தில் பாலாஜி Senthil Balaji
    துரைமுருகன் Duraimurugan|தமிழிசை சௌந்தரராஜன் Tamilisai Soundararajan|நல்லகண்ணு Nallakannu
    சிவாஜி கணேசன் Sivaji Ganesan|ஜெமினி கணேசன் Gemini Ganesan|அஜித் குமார் Ajith Kumar
    தனுஷ் கஸ்தூரி ராஜா Dhanush Kasthuri Raja|சிம்பு சிலம்பரசன் Simbu Silambarasan|நயன்தாரா Nayanthara
    திரிஷா கிருஷ்ணன் Trisha Krishnan|மகேந்திர சிங் தோனி Mahendra Singh Dhoni|முத்தையா முரளிதரன் Muttiah Muralitharan
    நடராஜன் தங்கராசு Natarajan Thangarasu|பொட்டு அம்மான் Pottu Amman|டக்ளஸ் தேவானந்தா Douglas Devananda
    சி வி விக்னேஸ்வரன் C V Vigneswaran|மாவை சேனாதிராசா Mavai Senathirajah|குமார் பொன்னம்பலம் Kumar Ponnambalam
    செல்வநாயகம் Chelvanayakam|தயாநிதி மாறன் Dayanidhi Maran|ஆ ராசா A Raja
    பிரதீபா பாட்டீல் Pratibha Patil|விஷால் கிருஷ்ணா Vishal Krishna|கௌதம் மேனன் Gautham Menon
    பாலு மகேந்திரா Balu Mahendra|இராமலிங்கம் கந்தசாமி Ramalingam Kandasamy|சுப்ரமணியம் ஜெய்சங்கர் Subrahmanyam Jaishankar
    செல்லத்துரை பாலச்சந்திரன் Chelladurai Balachandran|லோகேஷ் கனகராஜ் Lokesh Kanagaraj|வெற்றிமாறன் Vetrimaaran
    ஜோதிகா சரவணன் Jyothika Saravanan|முகமது யூசுப் Mohamed Yusuf|சண்முகம் பாண்டியன் Shanmugam Pandian
    கதிரவேல் அருணாச்சலம் Kathiravel Arunachalam`,
  Georgian: `
    მიხეილ სააკაშვილი Mikheil Saakashvili|ედუარდ შევარდნაძე Eduard Shevardnadze|ბიძინა ივანიშვილი Bidzina Ivanishvili|გიორგი მარგველაშვილი Giorgi Margvelashvili
    სალომე ზურაბიშვილი Salome Zourabichvili|ირაკლი ღარიბაშვილი Irakli Garibashvili|ირაკლი კობახიძე Irakli Kobakhidze|ზურაბ ჟვანია Zurab Zhvania
    ნინო ბურჯანაძე Nino Burjanadze|ზვიად გამსახურდია Zviad Gamsakhurdia|გიორგი კვირიკაშვილი Giorgi Kvirikashvili|კახა კალაძე Kakha Kaladze
    ხვიჩა კვარაცხელია Khvicha Kvaratskhelia|ლაშა ტალახაძე Lasha Talakhadze|იოსებ ჯუღაშვილი Ioseb Jughashvili|შოთა რუსთაველი Shota Rustaveli
    ილია ჭავჭავაძე Ilia Chavchavadze|აკაკი წერეთელი Akaki Tsereteli|ნიკო ფიროსმანი Niko Pirosmani|ვაჟა ფშაველა Vazha Pshavela
    გია ყანჩელი Giya Kancheli|ნანი ბრეგვაძე Nani Bregvadze|ქეთევან მელუა Ketevan Melua|მამუკა ბახტაძე Mamuka Bakhtadze|ნიკა მელია Nika Melia
    ვანო მერაბიშვილი Vano Merabishvili|დავით კეზერაშვილი Davit Kezerashvili|თარხან ბათირაშვილი Tarkhan Batirashvili|ლევან ვასაძე Levan Vasadze
    შალვა ნათელაშვილი Shalva Natelashvili|გიორგი ბერიძე Giorgi Beridze|თამარ ღვინიაშვილი Tamar Gviniashvili|ნათია ჩხეიძე Natia Chkheidze|არჩილ ტალაკვაძე Archil Talakvadze
    ოთარ ფარცხალაძე Otar Partskhaladze
    გრიგოლ ვაშაძე Grigol Vashadze|დავით ბაქრაძე Davit Bakradze|ნიკოლოზ ბარათაშვილი Nikoloz Baratashvili
    გალაკტიონ ტაბიძე Galaktion Tabidze|თეა წულუკიანი Tea Tsulukiani|გიგა ბოკერია Giga Bokeria
    ელენე ხოშტარია Elene Khoshtaria|მიხეილ ყაველაშვილი Mikheil Kavelashvili|ლავრენტი ბერია Lavrenti Beria
    სერგო ორჯონიკიძე Sergo Ordzhonikidze|ალექსანდრე ჯეჯელავა Alexander Jejelava|ქეთი ჯაფარიძე Keti Japaridze`,
  Armenian: `
    Նիկոլ Փաշինյան Nikol Pashinyan|Սերժ Սարգսյան Serzh Sargsyan|Ռոբերտ Քոչարյան Robert Kocharyan|Լևոն Տեր-Պետրոսյան Levon Ter-Petrosyan
    Արմեն Սարգսյան Armen Sarkissian|Վահագն Խաչատուրյան Vahagn Khachaturyan|Կարեն Կարապետյան Karen Karapetyan|Տիգրան Սարգսյան Tigran Sargsyan
    Արայիկ Հարությունյան Arayik Harutyunyan|Բակո Սահակյան Bako Sahakyan|Ռուբեն Վարդանյան Ruben Vardanyan|Գագիկ Ծառուկյան Gagik Tsarukyan
    Արամ Խաչատրյան Aram Khachaturian|Հենրիխ Մխիթարյան Henrikh Mkhitaryan|Լևոն Արոնյան Levon Aronian|Տիգրան Պետրոսյան Tigran Petrosian
    Շառլ Ազնավուր Charles Aznavour|Հովհաննես Թումանյան Hovhannes Tumanyan|Եղիշե Չարենց Yeghishe Charents|Կոմիտաս Վարդապետ Komitas Vardapet
    Սերգեյ Փարաջանով Sergei Parajanov|Վազգեն Սարգսյան Vazgen Sargsyan|Անդրանիկ Օզանյան Andranik Ozanian|Արշակ Տեր-Գուկասով Arshak Ter-Gukasov
    Հրանտ Դինք Hrant Dink|Արթուր Վանեցյան Artur Vanetsyan|Զոհրաբ Մնացականյան Zohrab Mnatsakanyan|Արարատ Միրզոյան Ararat Mirzoyan
    Էդվարդ Նալբանդյան Edward Nalbandian|Վիգեն Սարգսյան Vigen Sargsyan|Անի Գրիգորյան Ani Grigoryan|Մարիամ Պողոսյան Mariam Poghosyan
    Գևորգ Հակոբյան Gevorg Hakobyan|Անահիտ Ղազարյան Anahit Ghazaryan|Մհեր Մկրտչյան Mher Mkrtchyan|Սամվել Բաբայան Samvel Babayan
    Սամվել Կարապետյան Samvel Karapetyan|Կարո Փայլան Garo Paylan|Հայկ Մարության Hayk Marutyan
    Արմեն Գրիգորյան Armen Grigoryan|Էդմոն Մարուքյան Edmon Marukyan|Գառնիկ Ասատրյան Garnik Asatryan
    Շուշան Պետրոսյան Shushan Petrosyan|Մարտիրոս Սարյան Martiros Saryan|Պարույր Սևակ Paruyr Sevak
    Վիկտոր Համբարձումյան Viktor Ambartsumian|Յուրի Ջորկաեֆ Youri Djorkaeff|Մոնթե Մելքոնյան Monte Melkonian
    Հովիկ Աբրահամյան Hovik Abrahamyan|Ժաննա Անդրեասյան Zhanna Andreasyan`,
};

export interface PairOfNames {
  readonly own: string;
  readonly latin: string;
}

/** The Latin form begins at the first Latin letter. */
export const pairsByScript: ReadonlyMap<string, readonly PairOfNames[]> = new Map(
  Object.entries(namesOfScripts).map(([script, text]) => [script, text.split(/[|\n]/).flatMap(pairOf)]),
);

function pairOf(line: string): PairOfNames[] {
  const [, own, latin] = /^\s*(\P{Script=Latin}+?)\s+(\p{Script=Latin}.*)$/u.exec(line.trimEnd()) ?? [];
  return own && latin ? [{ own, latin }] : [];
}
