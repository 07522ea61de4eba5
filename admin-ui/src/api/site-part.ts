/** A part of the site that could not be fetched, as after an update: the file that held it is there no more. */
export class MissingPart extends Error {
  override readonly name = 'MissingPart';
}

/** Fetches a part of the site that is not in the first load. Throws `MissingPart` where that fails. */
export const loadPart = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load();
  } catch (cause) {
    throw new MissingPart('A part of the site could not be loaded. Load the site anew to have it.', {
      cause,
    });
  }
};
