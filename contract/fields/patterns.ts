/** A version, exactly MAJOR.MINOR.PATCH. Its parts are groups of up to nine digits each, see `LIMITS.versionPart`. */
export const VERSION_PATTERN = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

/** The key of a secret: neither "=" nor control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it rejects control characters
export const SECRET_KEY_PATTERN = /^[^\u0000-\u001f\u007f-\u009f=]+$/;
