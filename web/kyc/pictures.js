/** Makes a photo as small as it may be and still be read: less to send, and nothing of the camera's notes left in it. */

const longestSide = 2400;
/** Below this a photo is sent as it is. */
const smallEnoughBytes = 1_500_000;
const quality = 0.88;

/**
 * What the browser can't read as a picture is sent as it is: the server says what is wrong with it.
 * @param {File} file
 * @returns {Promise<Blob>}
 */
export async function smaller(file) {
  if (file.type === 'application/pdf') return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
    const isKnown = file.type === 'image/jpeg' || file.type === 'image/png';
    if (scale === 1 && isKnown && file.size <= smallEnoughBytes) return file;
    return (await drawn(picture, scale)) ?? file;
  } catch {
    return file;
  }
}

/**
 * @param {ImageBitmap} picture
 * @param {number} scale
 * @returns {Promise<Blob | null>}
 */
async function drawn(picture, scale) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  // A JPEG has no transparency: what was clear becomes white, not black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}
