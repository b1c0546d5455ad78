/** Spellings of the same given or family name that no rule of sound connects. Each line is one name. */
const lines = `
abd abdul abdel abdal abdol abdoul abdu
abdallah abdullah abdulla abdalla abdellah abdollah abdoullah
abdulrahman abdelrahman abdurrahman abderrahmane abdulrehman abdurahman abdurakhman abdalrahman
ahmad ahmed ahmet akhmad akhmed achmad ahmadu amadou
aleksandr alexander aleksander alexandre alejandro alessandro oleksandr alexandru aleksandar alexandros iskandar
aleksei alexei alexey aleksey oleksiy alexis
aleksandra alexandra alejandra alessandra oleksandra
andrei andrey andrew andre andres andreas andrea andriy andrzej andrej
anton antonio antony anthony antoine antonin
ali aly alee
amin ameen
aziz azeez
bashar bachar
dmitri dmitry dmitriy dimitri dmytro dimitrios demetrios dimitris demetris
ekaterina yekaterina katerina catherine katherine kateryna caterina katarina
elena yelena helena olena helen
evgeni yevgeny evgeny yevgeniy evgeniy evgenij eugene yevgeni yevhen yevhenii
faisal faysal feisal faycal
fatima fatma fatimah fatemeh fatuma
fyodor fedor feodor theodore theodoros teodoro fiodor
george georgi georgy georgiy jorge giorgio georgios giorgos yorgos yiorgos giorgi georges jerzy yuri yury yuriy iurii yurii
grigori grigory grigoriy gregory gregorio hryhorii
hamid hameed hamed
hasan hassan hasen hacen hasson
husayn hussein hussain hossein husain husein hossain houssein huseyin hoessein husseyn khusein
ibrahim ebrahim ibraheem abraham avraham ibragim brahim
igor ihor
ilya ilia iliya elias elijah
isa issa eisa essa
ismail ismael esmail ismayil ishmael
ivan john juan jean johannes johann giovanni jan ioannis yannis giannis yiannis ian joao janos hans ioan sean yahya yehia
yakov jacob jakob jacobo jakub yaqub yaqoob yacoub yakub james jaime jacques giacomo iakov
jamal gamal djamal jamaal
joseph jose yusuf youssef yousef yusef yosef josef giuseppe josip jozef yousuf yousaf iosif osip yusif
khaled khalid khalil_ haled khaleed
konstantin constantine konstantinos constantin costas kostas
lev leo leon leonid leonidas leonardo
luis louis luigi lewis luiz ludwig
maria mary marie mariya mariia maryam mariam miriam marija
mahmud mahmoud mahmood mehmud makhmud
mikhail michael miguel michel michele mykhailo mihail michal mihai mikael mikhael michail
muhammad mohammed mohamed mohammad mohamad muhammed mohamet mehmet mahomet muhamed mohd muhamad mamadou magomed mukhammad mohammod mahamat mahammad mohamud muhammet mukhammed md muhamadu mugamadu
mustafa mostafa moustafa mustapha
nasir nasser naser nassir nasr
natalia natalya nataliya natalie natasha
nikolai nikolay nicholas nicolas nikolaos nikolaj mykola niccolo nicola nikola nikos nicos
nur noor nour noer
omar umar omer oumar umer
osama usama oussama ousama
othman uthman osman usman ousmane othmane
pavel paul pablo paolo pavlo pawel pavlos paulo
peter pyotr petr pedro pierre pietro petro petros piotr petar butrus
qadir kader qader kadir ghader
qasim kassem qasem kasim kassim ghasem qassem
qusay qusai kusay
rahim raheem rehim
rashid rasheed rachid rasched rachide
roman romain romano
said saeed saaed sayed_ syed_ saeid saied sayyid sayyed saiyad saiyid saiyed sayyad seyed seyyed saiyod
saddam sadam saddaam
salih saleh salah_ saalih
sami samy
sergei sergey sergio serge serhiy sergiy serhii sergej
solomon suleiman sulayman sulaiman suleyman soleiman solayman suliman souleymane salomon
stepan stefan stephen steven esteban stephan stefano etienne stephane stefanos
sofia sofiya sophia sophie
svetlana svitlana
tariq tarek tareq tarik
vasily vasili vasiliy vasyl basil vassily vasilios vassili
viktor victor vittorio
vladimir volodymyr vladimiros wladimir włodzimierz uladzimir
vyacheslav viacheslav vjaceslav
wael wail
walid waleed oualid
yasin yassin yaseen yassine
yasir yasser yaser
yulia julia iuliia yuliya giulia julie
yuan yüan
zayd zaid zayed zeid zaed
ziyad ziad zeyad
william guillermo guillaume wilhelm guglielmo willem
charles carlos karl carlo karel carl
robert roberto
richard ricardo riccardo
francis francisco francesco francois franz ferenc frantisek
joaquin joachim
matthew mateo matteo mathieu matthias matvei mateusz
mark marco marcos marc marko markus
lucas luke luca lukas lukasz
henry enrique henri heinrich enrico hendrik henrik
edward eduardo edouard eduard
philip felipe philippe filip filippo filippos
thomas tomas tommaso tomasz
daniel daniele danila danilo daniil danylo
david davide dawood daoud dawud daud davit davyd
gabriel jibril gabriele jibreel
isaac ishaq yitzhak itzhak ishak isak
moses musa moussa moshe moises mousa
noah nuh
aaron harun haroun haron aharon
xu hsu
zhang chang
zhou chou
cai tsai
cao tsao
jiang chiang
qian chien
xie hsieh
zhao chao
zhu chu
zheng cheng
zhong chung
huang wong hwang
chen chan tan
lin lam lim
li lee ri yi rhee
liu lau ryu liew
wu ng
yang yeung yeong
park pak bak
choi choe
ahn an
jeon jun chun
ko go koh
roh no noh
moon mun
yoon yun
yoo yu you
woo u
lu lv lyu lui
haim chaim hayim chayim
haq haque hoque huq hak hok
banerjee banerji bandyopadhyay bondyopadhyay
mukherjee mukherji mukhopadhyay
chatterjee chatterji chattopadhyay
ganguly gangopadhyay
tagore thakur
levi levy
evangelos vangelis
aristotelis aristotle aristoteles
panagiotis panayiotis
jung jeong chung chong jong
kim gim
benjamin binyamin benyamin binyamin
`;

const groupByWord = new Map(
  lines
    .trim()
    .split('\n')
    .flatMap((line, group) => line.split(' ').map((word) => [word.replace('_', ''), group] as const)),
);

/** The number of the name that this is a spelling of. */
export function variantGroup(word: string): number | undefined {
  return groupByWord.get(word);
}
