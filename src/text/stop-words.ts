/** Words that say nothing about which tool is meant. Folded, lower case. */
const english =
  'a an the of to in on for with by at from as is are was were be been being am this that these those it its i im ive id ill me my mine we us our ours you your yours he she they them their his her him ' +
  'and or not no but if then so than too very can could would should shall will may might must do does did done doing dont doesnt didnt cant wont isnt arent have has had having there here what whats which who whom whose when ' +
  'where why how please help need want like just also any some all each every both few more most other such only own same about into through during before after above below up down out off over under again further once ' +
  'let lets know tell show give hi hello hey thanks thank ok okay yes yeah sure maybe really actually s t re ve ll d m etc e g';

const german =
  'der die das den dem des ein eine einen einem einer eines und oder aber nicht ist sind war waren sein bin bist hat haben hatte ich du er sie es wir ihr mich mir dich dir uns euch mein meine dein deine sein seine unser ' +
  'zu zum zur in im ins an am auf aus bei mit nach von vom fur uber unter durch als wie was wer wo wann warum bitte kann kannst konnen mochte will soll wird werden auch noch nur so dass';

const french =
  'le la les l un une des du de d et ou mais ne pas est sont etait etre a ai as ont je tu il elle on nous vous ils elles me te se mon ma mes ton ta tes son sa ses notre votre leur leurs ce cet cette ces que qui quoi dont ' +
  'ou quand comment pourquoi dans sur sous avec pour par sans en au aux y s il te plait peux peut veux voudrais';

const spanish =
  'el la los las un una unos unas y o pero no es son era ser estar esta estan he ha han yo tu el ella nosotros ustedes ellos me te se mi mis tu tus su sus nuestro este esta estos que quien cual donde cuando como por para ' +
  'con sin en de del al a lo le les por favor puedes puede quiero necesito';

const portuguese =
  'o a os as um uma uns umas e ou mas nao e sao era ser estar esta estao eu tu ele ela nos voces eles me te se meu minha seu sua nosso este esta que quem qual onde quando como por para com sem em de do da dos das no na nos nas ao ' +
  'favor pode quero preciso';

const italian =
  'il lo la i gli le un uno una e o ma non e sono era essere ho ha hanno io tu lui lei noi voi loro mi ti si mio mia tuo tua suo sua nostro questo questa che chi cui quale dove quando come per con senza in di del della dei delle ' +
  'a al alla da dal nel nella su per favore puoi voglio';

const dutch =
  'de het een en of maar niet is zijn was waren ben heeft hebben had ik jij je hij zij ze wij we jullie mij me hem haar ons mijn jouw zijn dit dat deze die wat wie waar wanneer waarom hoe in op aan bij met van voor door naar uit te ' +
  'om als ook nog kan kun wil graag alsjeblieft';

const lists: ReadonlyMap<string, string> = new Map([
  ['english', english],
  ['german', german],
  ['french', french],
  ['spanish', spanish],
  ['portuguese', portuguese],
  ['italian', italian],
  ['dutch', dutch],
]);

/** The built-in stop words of a language (by its English name, lower case). Empty for languages without a list. */
export function stopWordsOf(language: string): ReadonlySet<string> {
  const list = lists.get(language);
  return new Set(list === undefined ? [] : list.split(' '));
}
