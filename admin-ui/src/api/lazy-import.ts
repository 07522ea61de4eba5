/** A part of the site that could not be fetched, as after an update: the file that held it is there no more. */
export class ImportFailed extends Error {
  override readonly name = 'ImportFailed';
}

/** Fetches a part of the site that is not in the first load. Throws `ImportFailed` where that fails. */
export const lazyImport = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load();
  } catch (cause) {
    throw new ImportFailed('A part of the site could not be loaded. Reload the page.', {
      cause,
    });
  }
};
