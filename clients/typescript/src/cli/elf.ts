import { accessSync, closeSync, constants, openSync, readSync } from 'node:fs';

// The ELF file header and program headers of 64 bits, little-endian (System V ABI, gABI 4.1, chapters 4 and 5).
const HEADER_BYTES = 64;
const ENTRY_BYTES = 56;
const MAGIC = '\x7fELF';
/** Where the class, the byte order, the type and the machine stand. */
const KIND = { class: 4, order: 5, type: 16, machine: 18 } as const;
const [CLASS_64, LITTLE_ENDIAN, EXECUTABLE, SHARED, INTERPRETER] = [2, 1, 2, 3, 3];

const read = (path: string, at: number, length: number): Buffer => {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, at));
  } finally {
    closeSync(file);
  }
};

const machineOf = (header: Buffer): number | undefined => {
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, 4) !== MAGIC) return undefined;
  if (header[KIND.class] !== CLASS_64 || header[KIND.order] !== LITTLE_ENDIAN) return undefined;
  const type = header.readUInt16LE(KIND.type);
  return type === EXECUTABLE || type === SHARED ? header.readUInt16LE(KIND.machine) : undefined;
};

/** The first bytes of a file. Errors: those of the file system. */
export const head = (path: string): Buffer => read(path, 0, 256);

const ownMachine = (): number | undefined => machineOf(head(process.execPath));

const programHeaders = (path: string, header: Buffer): Buffer[] | undefined => {
  const [at, size, count] = [header.readBigUInt64LE(32), header.readUInt16LE(54), header.readUInt16LE(56)];
  const table = read(path, Number(at), ENTRY_BYTES * count);
  if (size !== ENTRY_BYTES || count === 0 || table.length < ENTRY_BYTES * count) return undefined;
  return Array.from({ length: count }, (_, i) => table.subarray(i * ENTRY_BYTES, (i + 1) * ENTRY_BYTES));
};

const interpreterOf = (path: string, entry: Buffer): string => {
  const text = read(path, Number(entry.readBigUInt64LE(8)), Number(entry.readBigUInt64LE(32)));
  return text.at(-1) === 0 ? text.toString('utf8', 0, text.length - 1) : '';
};

/**
 * Whether a file is what is left of a program for this machine. No kernel starts it, and the C library then gives it to a
 * shell, which would take its bytes for commands. False for what cannot be read.
 */
export const isDamagedElf = (path: string): boolean => {
  try {
    const header = head(path);
    if (header.toString('latin1', 0, 4) !== MAGIC) return false;
    if (header.length < HEADER_BYTES) return true;
    return machineOf(header) === ownMachine() && programHeaders(path, header) === undefined;
  } catch {
    return false;
  }
};

/**
 * Whether the kernel certainly starts this program as it does the running one: a sound one for the same machine, whose
 * loader, if it needs one, is such a program too. Errors: those of the file system.
 */
export const isStartableElf = (path: string): boolean => {
  const header = head(path);
  const machine = machineOf(header);
  if (machine === undefined || machine !== ownMachine()) return false;
  const loaders = programHeaders(path, header)
    ?.filter((entry) => entry.readUInt32LE(0) === INTERPRETER)
    .map((entry) => interpreterOf(path, entry));
  for (const loader of loaders ?? []) accessSync(loader, constants.X_OK);
  return loaders?.every((loader) => machineOf(head(loader)) === machine) ?? false;
};
