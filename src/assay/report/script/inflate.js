/* RFC 1950 and 1951 in a page of code, for browsers without DecompressionStream. */

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
  131, 163, 195, 227, 258];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/* Canonical Huffman code from code lengths: how many codes of each length, and the symbols in code order. */
function huffman(lengths) {
  const counts = new Uint16Array(16), starts = new Uint16Array(16), symbols = new Uint16Array(lengths.length);
  for (const length of lengths) counts[length] += 1;
  counts[0] = 0;
  for (let i = 1; i < 15; i += 1) starts[i + 1] = starts[i] + counts[i];
  lengths.forEach((length, symbol) => {
    if (length) symbols[starts[length]++] = symbol;
  });
  return { counts, symbols };
}

function inflate(input) {
  let at = 2, held = 0, bits = 0, out = new Uint8Array(input.length * 5), size = 0;

  function take(count) {
    while (bits < count) {
      held |= input[at++] << bits;
      bits += 8;
    }
    const value = held & ((1 << count) - 1);
    held >>>= count;
    bits -= count;
    return value;
  }

  function symbol(code) {
    let value = 0, first = 0, index = 0;
    for (let length = 1; length < 16; length += 1) {
      value |= take(1);
      const count = code.counts[length];
      if (value - count < first) return code.symbols[index + value - first];
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    throw new Error("damaged data");
  }

  function room(more) {
    if (size + more <= out.length) return;
    const wider = new Uint8Array(Math.max(out.length * 2, size + more));
    wider.set(out);
    out = wider;
  }

  function dynamicCodes() {
    const literals = take(5) + 257, distances = take(5) + 1, count = take(4) + 4;
    const lengths = new Array(19).fill(0);
    for (let i = 0; i < count; i += 1) lengths[CODE_ORDER[i]] = take(3);
    const code = huffman(lengths), all = [];
    while (all.length < literals + distances) {
      const said = symbol(code);
      if (said < 16) all.push(said);
      else {
        const value = said === 16 ? all[all.length - 1] : 0;
        let times = said === 16 ? 3 + take(2) : said === 17 ? 3 + take(3) : 11 + take(7);
        while (times--) all.push(value);
      }
    }
    return [huffman(all.slice(0, literals)), huffman(all.slice(literals))];
  }

  function fixedCodes() {
    const lengths = Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
    return [huffman(lengths), huffman(new Array(30).fill(5))];
  }

  function compressed([literals, distances]) {
    for (;;) {
      const said = symbol(literals);
      if (said === 256) return;
      if (said < 256) {
        room(1);
        out[size++] = said;
        continue;
      }
      let length = LENGTH_BASE[said - 257] + take(LENGTH_EXTRA[said - 257]);
      const far = symbol(distances), extra = far < 4 ? 0 : (far >> 1) - 1;
      const distance = (far < 4 ? far : (2 + (far & 1)) << extra) + 1 + take(extra);
      room(length);
      for (; length; length -= 1, size += 1) out[size] = out[size - distance];
    }
  }

  for (let last = 0; !last;) {
    last = take(1);
    const kind = take(2);
    if (kind === 0) {
      held = bits = 0;
      const length = input[at] | (input[at + 1] << 8);
      at += 4;
      room(length);
      out.set(input.subarray(at, at + length), size);
      at += length;
      size += length;
    } else if (kind === 3) throw new Error("damaged data");
    else compressed(kind === 1 ? fixedCodes() : dynamicCodes());
  }
  return out.subarray(0, size);
}
