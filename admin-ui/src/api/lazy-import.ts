/** A part of the site could not be loaded, for example because an update removed its file. */
export class ImportFailed extends Error {
  override readonly name = 'ImportFailed';
}

/** Loads a part of the site that is not in the initial bundle. Throws `ImportFailed` on failure. */
export const lazyImport = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  try {
    return await load();
  } catch (cause) {
    throw new ImportFailed('A part of the site could not be loaded. Reload the page.', {
      cause,
    });
  }
};
