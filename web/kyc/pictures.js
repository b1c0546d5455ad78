/** Shrinks a photo so that it is still readable. Less is sent, and the metadata of the camera is removed. */

const maxSide = 2400;
/** Smaller photos are sent unchanged. */
const maxUnchangedBytes = 1_500_000;
const quality = 0.88;

/**
 * Returns a file unchanged when the browser cannot read it as a picture. The server then reports what is wrong.
 * @param {File} file
 * @returns {Promise<Blob>}
 */
export async function shrinkPhoto(file) {
  if (file.type === 'application/pdf') return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
    const isAccepted = file.type === 'image/jpeg' || file.type === 'image/png';
    if (scale === 1 && isAccepted && file.size <= maxUnchangedBytes) return file;
    return (await toJpeg(picture, scale)) ?? file;
  } catch {
    return file;
  }
}

/**
 * @param {ImageBitmap} picture
 * @param {number} scale
 * @returns {Promise<Blob | null>}
 */
async function toJpeg(picture, scale) {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  // A JPEG has no transparency. Without this, transparent areas would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}
