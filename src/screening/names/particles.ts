/** Words inside names that tell nobody apart: articles, prepositions, titles, degrees. */
const particleList =
  'al el ul ad ed ar er as es at et az ez ash esh abu abou bin ibn bint binti binte bt ould ' +
  'de del della dello di da das do dos du des le la las los lo les van von der den dem ten ter zu zur zum ' +
  'af av of the and und et mac mc ' +
  'hajji haji hadji hajj haj sheikh shaikh shaykh shekh cheikh sayyid sayed sayyed mullah mawlawi molavi maulavi maulana ' +
  'qari ustad jr sr ii iii iv';

/** Also written with points. */
const degreeList =
  'mr mrs ms mx miss dr drs prof professor sir dame lord lady rev hon eng engr ing lic arq esq shri smt ' +
  'capt col gen maj lt sgt cmdr mba msc bsc phd dds llb llm mphil dphil mbbs mbchb cpa cfa frcs frs obe cbe mbe kbe dipl';

/** Not md, which is also short for Muhammad. */
export const degrees: ReadonlySet<string> = new Set(degreeList.split(' '));

export const particles: ReadonlySet<string> = new Set([...particleList.split(' '), ...degrees]);
