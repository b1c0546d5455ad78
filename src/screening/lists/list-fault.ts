/** Why a list cannot be used. The message is for the operator: what is wrong with which file, and where. */
export class ListFault extends Error {
  override readonly name = 'ListFault';
}
