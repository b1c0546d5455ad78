/** Words inside names that tell nobody apart: articles, prepositions, titles. */
const particleList =
  'al el ul ad ed ar er as es at et az ez ash esh abu abou bin ibn bint binti binte bt ould ' +
  'de del della dello di da das do dos du des le la las los lo les van von der den dem ten ter zu zur zum ' +
  'af av of the and und et mac mc ' +
  'mr mrs ms dr prof hajji haji hadji hajj haj sheikh shaikh shaykh cheikh sayyid sayed sayyed mullah mawlawi molavi maulavi maulana ' +
  'qari ustad jr sr ii iii';

export const particles: ReadonlySet<string> = new Set(particleList.split(' '));
