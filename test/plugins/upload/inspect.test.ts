import { readFile } from "node:fs/promises";
import { isPlinthError } from "@plinth/core";
import { expect } from "chai";
import { parseConfig } from "#plugins/upload/src/config.js";
import type { Inspected } from "@plinth/plugin-upload";
import { createInspector } from "#plugins/upload/src/inspect/inspector-service.js";
import { EMPTY_ZIP, makeImage, SampleDirectory } from "./sample-files.js";

const directory = new SampleDirectory();

/** What becomes of a file: what is known of it, or the code of its refusal. */
async function inspect(name: string, content: Buffer | string, config: object = {}): Promise<Inspected | string> {
  try {
    return await createInspector(parseConfig(config)).inspect(await directory.receive(name, content));
  } catch (error) {
    if (isPlinthError(error)) return error.code;
    throw error;
  }
}

/** Mime type and ending of a file, or the code of its refusal. */
async function typeOf(name: string, content: Buffer | string, config: object = {}): Promise<string> {
  const found = await inspect(name, content, config);
  return typeof found === "string" ? found : `${found.mime} ${found.ext}`;
}

const svg = (content: string, root = "") => `<svg xmlns="http://www.w3.org/2000/svg" ${root}>${content}</svg>`;
const PDF = "%PDF-1.4\n1 0 obj << >> endobj\ntrailer << >>\n%%EOF\n";
const HTML = "<!-- a page -->\n<!DOCTYPE html><html><script>alert(1)</script></html>";
const MISMATCH = "PLINTH_UPLOAD_TYPE_MISMATCH";
const ACTIVE = "PLINTH_UPLOAD_SVG_ACTIVE";
const POLYGLOT = "PLINTH_UPLOAD_POLYGLOT";

describe("What an uploaded file is", () => {
  after(() => directory.remove());

  describe("is decided by its content", () => {
    const texts: readonly (readonly [name: string, content: string | Buffer, expected: string])[] = [
      ["notes.txt", "Buy milk", "text/plain .txt"],
      ["BMW.txt", "BMW is a car", "text/plain .txt"],
      ["notes", "Buy milk", "text/plain .txt"],
      ["prices.csv", "a;b\n1;2", "text/csv .csv"],
      ["latin.csv", Buffer.from("Stra\xdfe;1", "latin1"), "text/csv .csv"],
      ["data.json", '{"a":1}', "application/json .json"],
      ["README.md", "<p align=center>Hello</p>", "text/markdown .md"],
      ["paper.pdf", PDF, "application/pdf .pdf"],
      ["paper", PDF, "application/pdf .pdf"],
      ["page.html", HTML, "text/html .html"],
      ["page", HTML, "text/html .html"],
      ["part.htm", "Hello <b>you</b>", "text/html .htm"],
      ["feed.xml", '<?xml version="1.0"?><rss/>', "application/xml .xml"],
      ["page.xml", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', "application/xhtml+xml .xhtml"],
      ["drawing.svg", svg(""), "image/svg+xml .svg"],
      ["drawing", `<?xml version="1.0"?><!-- x --><!DOCTYPE svg [ ]>\n${svg("")}`, "image/svg+xml .svg"],
      ["drawing.svg", Buffer.from(`\ufeff${svg("")}`, "utf16le"), "image/svg+xml .svg"],
      ["script.js", "alert(1)", "text/plain .txt"],
      ["run.php", "<?php echo 1;", "text/plain .txt"],
      ["old.doc", Buffer.from(`d0cf11e0a1b11ae1${"00".repeat(600)}`, "hex"), "application/msword .doc"],
      ["empty.zip", EMPTY_ZIP, "application/zip .zip"],
      ["thing.xyz", Buffer.from([0, 1, 2, 3, 200, 7]), "application/octet-stream .bin"],
    ];
    for (const [name, content, expected] of texts) {
      it(`${name} with ${JSON.stringify(content.toString("latin1").slice(0, 24))} is ${expected}`, async () => {
        expect(await typeOf(name, content)).to.equal(expected);
      });
    }

    it("an image under the name of another kind of image is corrected", async () => {
      expect(await typeOf("photo.jpg", await makeImage(8, 8, "png"))).to.equal("image/png .png");
      expect(await typeOf("photo.JPEG", await makeImage(8, 8))).to.equal("image/jpeg .jpeg");
      expect(await typeOf("photo", await makeImage(8, 8, "webp"))).to.equal("image/webp .webp");
    });
  });

  describe("is refused under the name of something else", () => {
    const wrong: readonly (readonly [name: string, content: string | Buffer])[] = [
      ["fake.png", "not a png"],
      ["fake.jpg", HTML],
      ["fake.png", svg("")],
      ["fake.pdf", EMPTY_ZIP],
      ["fake.svg", "just text"],
      ["fake.json", "%not json"],
      ["fake.mp4", Buffer.from([0, 1, 2, 3, 200, 7])],
      ["fake.gif", "GIF89a/*=1;alert(1)//*/"],
      ["fake.svg", HTML],
    ];
    for (const [name, content] of wrong) {
      it(`${name} with ${JSON.stringify(content.toString("latin1").slice(0, 24))}`, async () => {
        expect(await typeOf(name, content)).to.equal(MISMATCH);
      });
    }

    it("a program as a picture, and a picture as a program", async () => {
      const program = Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200)]);
      expect(await typeOf("holiday.jpg", program)).to.equal(MISMATCH);
      expect(await typeOf("holiday.exe", await makeImage(8, 8))).to.equal(MISMATCH);
    });
  });

  describe("is held to the lists of the configuration", () => {
    it("what is not allowed is refused, whatever its name", async () => {
      const config = { types: { allow: ["image/*", "application/pdf"], deny: ["image/svg+xml"] } };
      expect(await typeOf("a.pdf", PDF, config)).to.equal("application/pdf .pdf");
      expect(await typeOf("a.txt", "text", config)).to.equal("PLINTH_UPLOAD_TYPE_REFUSED");
      expect(await typeOf("a", svg(""), config)).to.equal("PLINTH_UPLOAD_TYPE_REFUSED");
      expect(await typeOf("a.png", await makeImage(8, 8, "png"), config)).to.equal("image/png .png");
    });

    it("a list that is none is told at start", () => {
      for (const types of [[], { allow: "image/*" }, { allow: ["image"] }, { permit: [] }]) {
        expect(() => parseConfig({ types }))
          .to.throw("types")
          .with.property("code", "PLINTH_UPLOAD_CONFIG_INVALID");
      }
    });
  });

  describe("is refused when it is two things at once", () => {
    const additions: Readonly<Record<string, string | Buffer>> = {
      "a ZIP behind it": EMPTY_ZIP,
      "a page behind it": "<script>alert(1)</script>",
      "PHP behind it": "<?php system($_GET['c']); ?>",
      "an SVG behind it": svg(""),
    };
    for (const [what, addition] of Object.entries(additions)) {
      it(`an image with ${what}`, async () => {
        for (const format of ["jpeg", "png", "gif"] as const) {
          const both = Buffer.concat([await makeImage(8, 8, format), Buffer.from(addition)]);
          expect(await typeOf(`both.${format}`, both)).to.equal(POLYGLOT);
        }
      });
    }

    it("markup far from the start is found, also across the parts in which a file is read", async () => {
      const image = await makeImage(8, 8, "png");
      for (const gap of [262_144 - image.length - 4, 700_000]) {
        const both = Buffer.concat([image, Buffer.alloc(gap), Buffer.from("<SCRIPT >")]);
        expect(await typeOf("both.png", both)).to.equal(POLYGLOT);
      }
    });

    it("photographs with long noise are taken", async () => {
      expect(await typeOf("photo.jpg", await makeImage(1500, 1500))).to.equal("image/jpeg .jpg");
    });
  });

  describe("is refused when it is an SVG that does something", () => {
    const active: Readonly<Record<string, string>> = {
      "a script": "<script>alert(1)</script>",
      "a script of a prefix": '<x:script xmlns:x="http://www.w3.org/2000/svg">1</x:script>',
      "an event handler": '<rect onload="alert(1)"/>',
      "an event handler with space": `<rect onclick${" ".repeat(5000)}= "alert(1)"/>`,
      "an address that is a script": '<a href="javascript:alert(1)"/>',
      "an address written as numbers": '<a href="&#x6a;&#0000097;vascript&colon;alert(1)"/>',
      "an address with a break": '<a href="java\nscript:alert(1)"/>',
      "an embedded page": "<foreignObject><body/></foreignObject>",
      "a page as data": '<use href="data:image/svg+xml;base64,PHN2Zy8+"/>',
      "a script of a prefix in other letters": '<ñ:script xmlns:ñ="http://www.w3.org/2000/svg">1</ñ:script>',
      "a script of a page": '<h:script xmlns:h="http://www.w3.org/1999/xhtml">1</h:script>',
      "a script that HTML would see": '<script xmlns="urn:example">alert(1)</script>',
      "a script in a comment's disguise": "<g><!-- --><script>1</script><!-- --></g>",
      "an element of none of the lists": "<video/>",
      "an embedded page in capitals": "<g><foreignObject/></g>",
      "an event handler of an editor's element": '<e:e xmlns:e="urn:example" onclick="1"/>',
      "an event handler that an animation sets": '<set attributeName="onclick" to="alert(1)"/>',
      "an address that an animation sets": '<a><animate attributeName="xlink:href" values="javascript:alert(1)"/></a>',
      "an address of a prefix of its own":
        '<a xmlns:q="http://www.w3.org/1999/xlink" q:href="java&#x0A;script:alert(1)"/>',
      "a picture from elsewhere": '<image href="https://example.org/a.png"/>',
      "a picture from elsewhere, without a protocol": '<feImage href="//example.org/a.png"/>',
      "a drawing from elsewhere": '<use href="https://example.org/a.svg#a"/>',
      "a style sheet from elsewhere": "<style>@im\\70ort 'https://example.org/a.css';</style>",
      "a paint from elsewhere": '<rect fill="url(https://example.org/a.svg#a)"/>',
      "a paint from elsewhere, written as numbers": '<rect style="fill: \\75 rl(https://example.org/a.svg#a)"/>',
      "another base": '<g xml:base="https://example.org/"/>',
      "markup that is text here only": "<title><![CDATA[><img src=x onerror=alert(1)>]]></title>",
      "an entity that it does not say": "<text>&nbsp;</text>",
      "an element that is never closed": "<g>",
      "more elements in each other than browsers take": `${"<g>".repeat(300)}${"</g>".repeat(300)}`,
      "a script far inside": `${"<g/>".repeat(200_000)}<script/>`,
    };
    for (const [what, content] of Object.entries(active)) {
      it(what, async () => expect(await typeOf("a.svg", svg(content))).to.equal(ACTIVE));
    }

    it("an entity, a style sheet from elsewhere, an encoding that hides", async () => {
      const before = [
        "<!DOCTYPE svg [<!ENTITY a 'b'>]>",
        "<!DOCTYPE svg [<!ENTITY % a SYSTEM 'https://example.org/'> %a;]>",
        "<!DOCTYPE svg [<!ATTLIST rect onload CDATA 'alert(1)'>]>",
        '<?xml-stylesheet href="a.css"?>',
        '<?xml version="1.0" encoding="UTF-7"?>',
      ];
      for (const prolog of before) expect(await typeOf("a.svg", `${prolog}${svg("")}`)).to.equal(ACTIVE);
    });

    it("in two-byte characters as well", async () => {
      expect(await typeOf("a.svg", Buffer.from(`\ufeff${svg("<script/>")}`, "utf16le"))).to.equal(ACTIVE);
    });

    it("what drawing programs write is taken", async () => {
      const drawing = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
        <!-- Created with a drawing program -->
        <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"
          xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd" xmlns:dc="http://purl.org/dc/elements/1.1/"
          xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" enable-background="new 0 0 9 9" p-id="12">
          <title>A &lt;drawing&gt;</title>
          <metadata><?xpacket begin=""?><rdf:RDF><dc:title rdf:resource="https://example.org/"/></rdf:RDF></metadata>
          <sodipodi:namedview pagecolor="#ffffff"/>
          <style><![CDATA[ .a > .b { fill: url(#paint); src: url("data:font/woff2;base64,AA") } ]]></style>
          <defs><linearGradient id="paint"><stop offset="0"/></linearGradient></defs>
          <a href="https://example.org/"><use xlink:href="#paint"/></a>
          <image xlink:href="data:image/png;base64,
            iVBORw0KGgo="/>
          <g transform="translate(1 1)" data-name="a" aria-label="Ships" style="clip-path: url('#clip')">
            <animate attributeName="opacity" values="0;1" dur="1s"/>
          </g>
        </svg>`;
      expect(await typeOf("a.svg", drawing)).to.equal("image/svg+xml .svg");
    });

    it("plain drawings are taken, with the size that they ask for", async () => {
      const sizes = {
        'width="10" height="20"': [10, 20],
        'viewBox="0 0 30 40"': [30, 40],
        'width="1in" height="48pt"': [96, 64],
      };
      for (const [root, [width, height]] of Object.entries(sizes)) {
        expect(await inspect("a.svg", svg("<text>once = one</text>", root))).to.include({
          width,
          height,
          isImage: true,
        });
      }
    });
  });

  it("leaves the file as it came", async () => {
    const image = await makeImage(600, 400);
    const found = (await inspect("a.jpg", image)) as Inspected;
    expect((await readFile(found.path)).equals(image)).to.equal(true);
  });
});
