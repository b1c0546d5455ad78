export const testMasterKey = '+Db9g7mnrS0RC8/pTJE/Gn4FMtyJJmNfIisfY6x5MYI=';
