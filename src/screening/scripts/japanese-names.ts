/** The usual family and given names of Japan with their reading. A name that is read in two ways has both. */

const family = `
佐藤sato 鈴木suzuki 高橋takahashi 田中tanaka 伊藤ito 渡辺watanabe 渡邊watanabe 渡邉watanabe 山本yamamoto 中村nakamura 小林kobayashi 加藤kato 吉田yoshida 山田yamada
佐々木sasaki 山口yamaguchi 松本matsumoto 井上inoue 木村kimura 林hayashi 斎藤saito 斉藤saito 齋藤saito 清水shimizu 山崎yamazaki 森mori 池田ikeda 橋本hashimoto 阿部abe 石川ishikawa
山下yamashita 中島nakajima 石井ishii 小川ogawa 前田maeda 岡田okada 長谷川hasegawa 藤田fujita 後藤goto 近藤kondo 村上murakami 遠藤endo 青木aoki 坂本sakamoto 福田fukuda 太田ota
西村nishimura 藤井fujii 金子kaneko 岡本okamoto 藤原fujiwara 三浦miura 中野nakano 中川nakagawa 原田harada 松田matsuda 竹内takeuchi 小野ono 田村tamura 中山nakayama 和田wada 石田ishida
上田ueda 森田morita 小島kojima 柴田shibata 原hara 宮崎miyazaki 酒井sakai 工藤kudo 横山yokoyama 宮本miyamoto 内田uchida 高木takagi 安藤ando 島田shimada 谷口taniguchi 大野ono 高田takada
丸山maruyama 今井imai 河野kono 藤本fujimoto 村田murata 武田takeda 上野ueno 杉山sugiyama 増田masuda 菅原sugawara 平野hirano 久保kubo 小山koyama 大塚otsuka 千葉chiba 松井matsui 岩崎iwasaki
木下kinoshita 野口noguchi 松尾matsuo 野村nomura 菊地kikuchi 菊池kikuchi 佐野sano 大西onishi 杉本sugimoto 新井arai 浜田hamada 古川furukawa 市川ichikawa 水野mizuno 小松komatsu 島shima
桜井sakurai 櫻井sakurai 吉川yoshikawa 山内yamauchi 西田nishida 北村kitamura 岩田iwata 土屋tsuchiya 西川nishikawa 川崎kawasaki 東azuma 飯田iida 松岡matsuoka 五十嵐igarashi 安田yasuda
吉村yoshimura 中田nakata/nakada 久保田kubota 樋口higuchi 川口kawaguchi 関seki 馬場baba 田口taguchi 永井nagai 本田honda 本多honda 服部hattori 辻tsuji 辻本tsujimoto 岩本iwamoto 大島oshima
川上kawakami 浅野asano 田辺tanabe 荒木araki 大久保okubo 小沢ozawa 小澤ozawa 菅suga/kan 菅野kanno/sugano 岡崎okazaki 平田hirata 望月mochizuki 渡部watanabe 片山katayama 福島fukushima 大谷otani
三宅miyake 吉岡yoshioka 黒田kuroda 松下matsushita 松村matsumura 森本morimoto 星野hoshino 本間homma 北野kitano 羽生hanyu 大坂osaka 坂井sakai 山中yamanaka 豊田toyoda 孫son 安倍abe
岸田kishida 小泉koizumi 麻生aso 石破ishiba 鳩山hatoyama 野田noda 大江oe 川端kawabata 三島mishima 黒澤kurosawa 黒沢kurosawa 中曽根nakasone 麻原asahara 岸kishi 福沢fukuzawa 福澤fukuzawa
細川hosokawa 宮沢miyazawa 宮澤miyazawa 村山murayama 小渕obuchi 森山moriyama 河村kawamura 枝野edano 蓮舫renho 河合kawai 茂木motegi 萩生田hagiuda 高市takaichi 石原ishihara 橋下hashimoto
小池koike 舛添masuzoe 前原maehara 岡村okamura 志村shimura 黒木kuroki 二階堂nikaido 織田oda 徳川tokugawa 豊臣toyotomi 明智akechi 武藤muto 足立adachi 秋山akiyama 堀hori 堀江horie
三木miki 三谷mitani 川村kawamura 川島kawashima 河原kawahara 児玉kodama 桑原kuwahara 西山nishiyama 西野nishino 東野higashino/tono 南minami 北川kitagawa 内藤naito 内山uchiyama 須藤sudo
高野takano 高山takayama 高島takashima 松原matsubara 松浦matsuura 松永matsunaga 横田yokota 栗原kurihara 柳yanagi 柳田yanagida 柳沢yanagisawa 早川hayakawa 早坂hayasaka 富田tomita 富永tominaga
大橋ohashi 大石oishi 大川okawa 大森omori 大山oyama 大林obayashi 小田oda 小倉ogura 小西konishi 小原ohara 小笠原ogasawara 尾崎ozaki 岩井iwai 平井hirai 平山hirayama 広瀬hirose 成田narita
戸田toda 日野hino 星hoshi 望mochi 朝倉asakura 本村motomura 桐谷kiritani 桐生kiryu 水谷mizutani 永田nagata 江口eguchi 浅井asai 浅田asada 津田tsuda 滝沢takizawa 熊谷kumagai 片岡kataoka
牧野makino 甲斐kai 白石shiraishi 白井shirai 相沢aizawa 矢野yano 石橋ishibashi 神田kanda 福井fukui 稲垣inagaki 稲葉inaba 窪田kubota 竹中takenaka 竹下takeshita 篠原shinohara 細田hosoda
落合ochiai 藤沢fujisawa 藤川fujikawa 西尾nishio 西岡nishioka 角田tsunoda/kakuta 谷tani 谷川tanikawa 野中nonaka 長島nagashima 長嶋nagashima 飯島iijima 高松takamatsu 黒川kurokawa 葛城katsuragi 錦織nishikori 香川kagawa 恒川tsunekawa 宇多田utada 芥川akutagawa 夏目natsume 太宰dazai 手塚tezuka 堂本domoto 木戸kido 大隈okuma 伊達date 真田sanada 志賀shiga 谷崎tanizaki 与謝野yosano 樋口higuchi 正岡masaoka 坂口sakaguchi 東条tojo 東條tojo 羽田hata/haneda 玉木tamaki 志位shii 二階nikai 高倉takakura 三船mifune 役所yakusho 長友nagatomo 内村uchimura 重信shigenobu 新実niimi 尾田oda 鳥山toriyama 小津ozu 是枝koreeda 司馬shiba 大杉osugi 北島kitajima 瀬戸seto 池江ikee
`;

const given = `
太郎taro 次郎jiro 三郎saburo 一郎ichiro 一朗ichiro 五郎goro 健ken/takeru/takeshi 健一kenichi 健二kenji 健太kenta 健太郎kentaro 健三kenzo 健三郎kenzaburo 純一郎junichiro 純一junichi 純jun 誠makoto 浩hiroshi/yutaka
博hiroshi 弘hiroshi 宏hiroshi 寛hiroshi 洋hiroshi 隆takashi 孝takashi 武takeshi/takeru 剛takeshi/tsuyoshi 明akira 彰akira 昭akira 晃akira 章akira 茂shigeru 稔minoru 実minoru 豊yutaka 勝masaru 進susumu 修osamu
治osamu 清kiyoshi 正tadashi 忠tadashi 勇isamu/yu 勉tsutomu 努tsutomu 学manabu 聡satoshi 智satoshi 哲satoshi/tetsu 悟satoru 亮ryo 涼ryo 諒ryo 翔sho 大翔hiroto 大輔daisuke 大介daisuke 大樹daiki 大地daichi
拓也takuya 卓也takuya 達也tatsuya 哲也tetsuya 和也kazuya 智也tomoya 直也naoya 直樹naoki 直人naoto 正樹masaki 雅樹masaki 秀樹hideki 英樹hideki 弘樹hiroki 裕樹yuki/hiroki 祐樹yuki 勇気yuki 友樹tomoki 和樹kazuki
一樹kazuki 俊介shunsuke 俊輔shunsuke 洋介yosuke 陽介yosuke 裕介yusuke 雄介yusuke 祐介yusuke 圭介keisuke 圭佑keisuke 恵介keisuke 慶介keisuke 真一shinichi 信一shinichi 伸一shinichi 慎一shinichi 慎太郎shintaro
晋太郎shintaro 晋三shinzo 新太郎shintaro 進次郎shinjiro 純也junya 隼人hayato 勇人hayato/yuto 優斗yuto 悠斗yuto 悠人yuto/haruto 陽翔haruto 春樹haruki 晴樹haruki 陽斗haruto 蓮ren 蒼aoi/so 湊minato 樹itsuki 颯太sota 翔太shota
翔平shohei 昌平shohei 龍一ryuichi 隆一ryuichi 竜一ryuichi 龍之介ryunosuke 龍馬ryoma 竜也tatsuya 龍也tatsuya 伸弥shinya 慎也shinya 信也shinya 章男akio 明夫akio 昭夫akio 文雄fumio 文夫fumio 文男fumio 義偉yoshihide
義男yoshio 良夫yoshio 佳彦yoshihiko 義彦yoshihiko 嘉彦yoshihiko 由紀夫yukio 幸雄yukio 幸夫yukio 行雄yukio 康弘yasuhiro 泰弘yasuhiro 康成yasunari 正義masayoshi 政義masayoshi 雅之masayuki 正之masayuki
雅人masato 正人masato 雅彦masahiko 正彦masahiko 雅弘masahiro 正弘masahiro 昌弘masahiro 政宏masahiro 貴之takayuki 隆之takayuki 孝之takayuki 和之kazuyuki 和彦kazuhiko 和夫kazuo 一夫kazuo 和雄kazuo 和弘kazuhiro
英明hideaki 秀明hideaki 英雄hideo 秀雄hideo 英夫hideo 秀夫hideo 英機hideki 信長nobunaga 家康ieyasu 秀吉hideyoshi 角栄kakuei 栄作eisaku 信介nobusuke 内蔵助kuranosuke 彰晃shoko 駿hayao/shun 結弦yuzuru 翼tsubasa
伸二shinji 真司shinji 慎司shinji 浩二koji 孝二koji 康二koji 幸司koji 賢治kenji 賢二kenji 謙ken 謙一kenichi 憲一kenichi 研一kenichi 光一koichi 浩一koichi 幸一koichi 孝一koichi 宏一koichi 洋一yoichi 陽一yoichi
誠一seiichi 清一seiichi 誠司seiji 征爾seiji 清司seiji 栄一eiichi 裕一yuichi 雄一yuichi 優一yuichi 雄二yuji 裕二yuji 祐二yuji 雄大yudai 雄太yuta 優太yuta 裕太yuta 勇太yuta 啓太keita 圭太keita 恵太keita
敏夫toshio 俊夫toshio 利夫toshio 敏之toshiyuki 俊之toshiyuki 敏彦toshihiko 俊彦toshihiko 利明toshiaki 俊明toshiaki 敏明toshiaki 昭彦akihiko 明彦akihiko 明仁akihito 裕仁hirohito 徳仁naruhito 文仁fumihito
洋子yoko 陽子yoko 容子yoko 花子hanako 華子hanako 幸子sachiko/yukiko 恵子keiko 敬子keiko 慶子keiko 圭子keiko 裕子yuko/hiroko 優子yuko 祐子yuko 夕子yuko 弘子hiroko 浩子hiroko 博子hiroko 寛子hiroko 京子kyoko 恭子kyoko
今日子kyoko 智子tomoko 知子tomoko 朋子tomoko 友子tomoko 典子noriko 紀子noriko 法子noriko 則子noriko 久美子kumiko 由美子yumiko 真由美mayumi 由美yumi 明美akemi 美穂miho 美香mika 美佳mika 美紀miki 美樹miki 美咲misaki
美雪miyuki 美幸miyuki 美和miwa 美智子michiko 道子michiko 百合子yuriko 由里子yuriko 小百合sayuri 雅子masako 正子masako 昌子masako/akiko 真紀子makiko 牧子makiko 直子naoko 直美naomi 尚子naoko 奈緒子naoko
良子ryoko/yoshiko 涼子ryoko 佳子yoshiko/keiko 芳子yoshiko 和子kazuko 一子kazuko 明子akiko 昭子akiko 晶子akiko 秋子akiko 愛子aiko 愛ai 愛美manami 葵aoi 陽菜hina/haruna 陽葵himari 結衣yui 結菜yuna 凛rin 咲良sakura
桜sakura 遥haruka 春香haruka 彩aya 綾aya 彩花ayaka 綾香ayaka 彩香ayaka 沙織saori 香織kaori 詩織shiori 千尋chihiro 千春chiharu 千恵chie 智恵chie 恵美emi 絵美emi 絵里eri 恵理eri 麻衣mai 舞mai 真理mari 真理子mariko
麻里子mariko 万里子mariko 聖子seiko 清子kiyoko 節子setsuko 順子junko 純子junko 淳子junko/atsuko 敦子atsuko 篤子atsuko 文子fumiko 富美子fumiko 静子shizuko 早苗sanae 佐和子sawako 貴子takako 孝子takako 隆子takako
瞳hitomi 光hikaru/hikari 歩ayumi/ayumu 薫kaoru 忍shinobu 泉izumi 恵megumi めぐみmegumi 悠yu/haruka 優yu 由紀yuki 雪yuki 幸恵yukie 喜美子kimiko 君子kimiko 菜々子nanako 奈々子nanako 七海nanami 莉子riko 敏充toshimitsu 早苗sanae 幸男yukio 康夫yasuo 喜朗yoshiro 龍太郎ryutaro 恒三kozo 建英takefusa 圭kei 圭一keiichi 慶一keiichi 真人masato 勇二yuji 譲二joji 丈二joji 淳jun/atsushi 篤atsushi 敦atsushi 渉wataru 航wataru/ko 守mamoru 護mamoru 望nozomi 希nozomi 光男mitsuo 光雄mitsuo 光子mitsuko 満mitsuru 充mitsuru 徹toru 透toru 亨toru 均hitoshi 仁hitoshi/jin 等hitoshi 要kaname 司tsukasa 操misao 巌iwao 巖iwao 厳iwao 登noboru 昇noboru 昌masashi 将masashi/sho 博文hirobumi/hirofumi 喜一kiichi 孜tsutomu 富市tomiichi 恵三keizo 直人naoto 俊博toshihiro 芳正yoshimasa 勝信katsunobu 雄一郎yuichiro 和夫kazuo 徹toru/tetsu 漱石soseki 潤一郎junichiro 遼太郎ryotaro 圭吾keigo 治虫osamu 栄一郎eiichiro 雄彦takehiko 裕和hirokazu 安二郎yasujiro 敏郎toshiro 広之hiroyuki 広司koji 英寿hidetoshi 佑都yuto 航平kohei 房子fusako 智光tomomitsu 真須美masumi 清司kiyoshi/seiji 宏之hiroyuki 弘之hiroyuki 博之hiroyuki 裕之hiroyuki 浩之hiroyuki 健司kenji 健二kenji 賢一kenichi 健吾kengo 大吾daigo 慎吾shingo 真吾shingo 秀一shuichi 修一shuichi 周一shuichi 俊一shunichi 竜二ryuji 隆二ryuji 龍二ryuji 良一ryoichi 亮一ryoichi 亮太ryota 涼太ryota 良太ryota 康平kohei 公平kohei 耕平kohei 浩平kohei 康介kosuke 浩介kosuke 幸介kosuke 孝介kosuke 政男masao 正男masao 正夫masao 正雄masao
`;

function readings(text: string): ReadonlyMap<string, string> {
  const pairs = text
    .trim()
    .split(/\s+/)
    .flatMap((item) => {
      const [, own, read] = /^(\P{Script=Latin}+)([a-z/]+)$/u.exec(item) ?? [];
      return own && read ? [[own, read] as const] : [];
    });
  return new Map(pairs);
}

export const japaneseFamilyNames = readings(family);
export const japaneseGivenNames = readings(given);
