/** Builds small PDF documents with one page of text, for reports and statements. */

/** @param lines plain text from top to bottom; the first line is the heading */
export const pdfOf = (lines: readonly string[]): Buffer => {
  const text = lines
    .slice(0, MOST_LINES)
    .map((line, index) => drawn(line, index))
    .join("\n");
  const content = `BT\n${text}\nET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let document = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = document.length;
    document += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const references = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${references}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${document.length}\n%%EOF\n`;
  return Buffer.from(`${document}${table}${trailer}`, "latin1");
};

const MOST_LINES = 44;

const drawn = (line: string, index: number): string => {
  const size = index === 0 ? 16 : 10;
  return `/F1 ${size} Tf 1 0 0 1 50 ${740 - index * 16} Tm (${escaped(line)}) Tj`;
};

/** Escapes a line. The font has no glyphs beyond Latin-1. */
const escaped = (line: string): string =>
  line.replace(/[^\x20-\x7e\xa0-\xff]/g, "?").replace(/[\\()]/g, (character) => `\\${character}`);
