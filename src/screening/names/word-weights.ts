/** Words that many names contain, so that sharing one of them says little. */
import { particles } from './particles.js';
import { variantGroup } from './spelling-variants.js';

const commonNames = new Set(
  `
ben muhammad mohammed mohamed mohammad ahmad ahmed ali hassan hasan hussein hussain husayn abdul abdullah abdallah abd abdel omar umar khaled khalid
ibrahim ismail mahmoud mahmud mustafa said saeed salim saleh salih yusuf youssef yousef hamid karim rahim rahman aziz nasser nasir rashid
tariq walid samir jamal kamal adel fadi amin bashir faisal hamza hani hisham imad jaber mansour majid nabil osama othman qasim sami sultan
abbas aziza fatima aisha khadija zainab maryam amina layla noor hana sara huda salma khan shah malik hussaini iqbal akhtar begum bibi singh kaur
kumar sharma gupta patel devi lal ram das prasad rao reddy nair roy das ghosh banerjee
jose juan luis carlos jorge miguel pedro manuel francisco antonio jesus alejandro ricardo roberto fernando eduardo rafael sergio javier daniel
david diego andres angel mario oscar raul ruben victor hugo ivan julio alberto alfredo arturo armando enrique ernesto felipe gabriel gustavo
guillermo hector ignacio jaime joaquin leonardo marco marcos martin oswaldo pablo ramon rodolfo rodrigo salvador santiago tomas vicente
maria ana carmen rosa isabel guadalupe juana luz elena patricia gloria martha marta alicia sandra laura monica claudia andrea paula silvia
teresa beatriz adriana angelica blanca cecilia diana esperanza irma leticia lucia margarita mercedes norma olga pilar rocio sofia susana veronica
yolanda garcia rodriguez martinez hernandez lopez gonzalez gonzales perez sanchez ramirez torres flores rivera gomez diaz cruz morales reyes
gutierrez ortiz ramos ruiz chavez castillo vargas castro mendoza jimenez fernandez alvarez romero herrera medina aguilar vega rojas delgado
guerrero munoz suarez soto contreras silva santos oliveira souza sousa pereira costa ferreira rodrigues almeida alves lima gomes ribeiro carvalho
martins rocha barbosa dias mendes nunes moreira cardoso teixeira mejia salazar rios valencia cardenas acosta molina ospina zapata arias
avila cortes duarte espinoza espinosa figueroa guzman leon lara luna maldonado marquez mora navarro nunez orozco pacheco parra pena ponce
quintero rincon rivas robles rosales salas sandoval serrano solis soria trujillo valdez valenzuela vasquez vazquez velasquez velazquez villa zamora
vladimir sergei sergey alexander aleksandr alexei aleksey andrei andrey dmitry dmitri mikhail nikolai nikolay ivan igor oleg viktor victor yuri
anatoly vasily pavel konstantin evgeny yevgeny maxim roman denis anton artem kirill boris grigory stanislav vitaly vyacheslav leonid valery
ekaterina elena irina natalia tatiana olga svetlana anna marina ludmila galina nina vera yulia anastasia ivanov petrov smirnov ivanova popov sokolov
vladimirovich sergeevich sergeyevich alexandrovich aleksandrovich alekseevich andreevich dmitrievich mikhailovich nikolaevich nikolayevich
ivanovich viktorovich yurevich yurievich vladimirovna sergeevna aleksandrovna nikolaevna ivanovna anatolyevich vasilyevich petrovich pavlovich
john james robert michael william richard thomas charles joseph christopher matthew anthony mark paul steven andrew kenneth george joshua kevin
brian edward ronald timothy jason jeffrey ryan gary nicholas eric stephen jonathan larry justin scott brandon frank benjamin gregory samuel
raymond patrick jack dennis jerry tyler aaron henry peter adam nathan zachary walter kyle harold carl jeremy keith roger gerald ethan arthur
mary jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty helen margaret ashley kimberly emily donna michelle carol amanda
melissa deborah stephanie rebecca sharon cynthia kathleen amy shirley angela smith johnson williams brown jones davis miller wilson
moore taylor anderson jackson white harris thompson robinson clark lewis lee walker hall allen young king wright hill scott green adams baker
nelson mitchell campbell roberts carter phillips evans turner parker collins edwards stewart morris murphy cook rogers morgan cooper peterson
reed bailey bell kelly howard ward cox richardson wood watson brooks bennett gray james hughes price myers long foster
hans peter wolfgang klaus jurgen michael stefan andreas thomas markus mueller muller schmidt schneider fischer weber meyer wagner becker schulz hoffmann
jean pierre michel andre philippe marie louis jacques bernard dubois durand martin petit moreau laurent simon lefebvre roux
giuseppe giovanni francesco antonio mario luigi rossi russo ferrari esposito bianchi romano colombo ricci marino greco
mehmet mustafa ahmet ayse fatma yilmaz kaya demir celik sahin yildiz ozturk aydin arslan dogan
wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he lin gao luo wei ming hua jun hong ping xin yan feng lei tao jie
kim park lee choi jung kang cho yoon jang lim han nguyen tran le pham hoang phan vu dang bui do van thi minh duc anh tuan hung
santos cruz bautista ocampo garcia mendoza aquino villanueva castro delacruz dela
mohamud hassan abdi warsame farah omar yusuf jama ismail osman adan nur
okafor okonkwo musa ibrahim abubakar sani bello adamu aliyu usman yakubu mensah owusu asante boateng kwame kofi diallo traore toure keita coulibaly ndiaye diop fall sow ba
reza mohammadi ahmadi hosseini karimi hashemi rezaei moradi jafari rahimi mehdi hamed amir hossein
popescu ionescu ion andrei novak horvat kovac nagy szabo kowalski nowak
`
    .trim()
    .split(/\s+/),
);

/** Legal forms are left out of most spoken names of a company. */
const legalForms = new Set(
  `ltd limited llc llp lp inc incorporated corp corporation co company companies plc pte pty sa sas sarl srl spa ag gmbh kg ohg bv nv ab as oy
   aps kft doo dd ad ood eood zao oao ooo pao ao jsc ojsc cjsc pjsc fze fzco fzc fz wll bsc sal sarl ltda cia eu cv rl de sac eirl sl slu
   kk gk sdn bhd est establishment pjs qpsc saoc saog psc dmcc tic sti anonim sirketi limitada anonima sociedad societe gesellschaft`
    .trim()
    .split(/\s+/),
);

const commonBusinessWords = new Set(
  `bank trading trade international group holding holdings industries industrial industry general services service enterprise enterprises import
   export imports exports investment investments development construction company national first global world shipping maritime marine lines line
   transport transportation logistics oil gas petroleum petrochemical energy power electric engineering technology technologies technical tech
   systems solutions finance financial capital exchange money foundation charity organization organisation association institute university
   center centre research front party movement army islamic iran iranian syrian cuban russian korea korean libyan state republic north south east
   west central new commercial comercial comercializadora inversiones agropecuaria constructora inmobiliaria grupo industria industrias servicios
   empresa distribuidora transportes hotel hotels restaurant real estate properties property travel tours tourism airlines air aviation airways
   steel metal metals mining minerals chemical chemicals pharma pharmaceutical medical food foods agricultural agro auto motors electronics
   telecom communications media insurance management consulting business center commerce manufacturing factory supply production products
   gulf asia europe africa america middle al el`
    .trim()
    .split(/\s+/),
);

export function isLegalForm(word: string): boolean {
  return legalForms.has(word);
}

const commonGroups = new Set([...commonNames].flatMap((name) => variantGroup(name) ?? []));

/** A rare spelling of a common name is common too. */
export function isCommonName(word: string): boolean {
  const group = variantGroup(word);
  return commonNames.has(word) || (group !== undefined && commonGroups.has(group));
}

export type NameKind = 'person' | 'organisation';

/**
 * How much a word counts, from 0 to 1. It depends on the word alone, so that a score never depends on the rest of a
 * list.
 */
export function weightOf(word: string, kind: NameKind): number {
  if (kind === 'organisation') return organisationWeight(word);
  if (word.length === 1) return 0.2;
  if (particles.has(word)) return 0.25;
  if (isCommonName(word)) return 0.55;
  return word.length === 2 ? 0.6 : 1;
}

function organisationWeight(word: string): number {
  if (legalForms.has(word)) return 0.1;
  if (commonBusinessWords.has(word)) return 0.4;
  if (word.length === 1) return 0.2;
  return word.length === 2 ? 0.6 : 1;
}
