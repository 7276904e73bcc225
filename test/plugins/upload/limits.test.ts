import { connect } from "node:net";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { FULL, type SentFile, serveUploads } from "./serve-uploads.js";

describe("the limits of an upload", () => {
  eitherDatabase(import.meta.url, (database) => {
    const uploads = serveUploads(database, {
      upload: { sizeLimit: 1000, totalSizeLimit: 2500, maxFiles: 3, maxFields: 4, fieldsSizeLimit: 500 },
    });
    const file = (size: number): SentFile => ({ name: "a.txt", content: "x".repeat(size) });

    /** Sends a body as it is and returns the whole answer, or what came until the connection ended. */
    const sendRaw = (headers: string, body: string, cutAfter?: number) =>
      new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(uploads().url);
        const socket = connect(Number(port), hostname);
        let received = "";
        socket.on("data", (chunk) => {
          received += chunk.toString();
          if (cutAfter === undefined && received.includes('"error"')) socket.end();
        });
        socket.on("error", reject);
        socket.on("close", () => resolve(received));
        socket.write(`POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${FULL}\r\n${headers}\r\n\r\n`);
        socket.write(cutAfter === undefined ? body : body.slice(0, cutAfter), () => {
          if (cutAfter !== undefined) setTimeout(() => socket.destroy(), 50);
        });
      });

    const isEmpty = async () => {
      // What a cut connection leaves is removed a moment later.
      while (uploads().temporary().length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(uploads().temporary()).to.deep.equal([]);
      expect(uploads().stored()).to.deep.equal([]);
      expect((await uploads().ask("GET", "/api/upload/files")).body).to.deep.equal([]);
    };

    const refused: Record<string, { files: readonly SentFile[]; fields?: [string, string][]; names: string }> = {
      "a file": { files: [file(1001)], names: "sizeLimit" },
      "the files together": { files: [file(900), file(900), file(900)], names: "totalSizeLimit" },
      "the number of files": { files: [file(1), file(1), file(1), file(1)], names: "maxFiles" },
      "the number of fields": {
        files: [file(1)],
        fields: Array.from({ length: 5 }, (_, index) => [`field${index}`, "x"]),
        names: "maxFields",
      },
      "the bytes of fields": { files: [file(1)], fields: [["a", "x".repeat(501)]], names: "fieldsSizeLimit" },
    };

    for (const [what, { files, fields = [], names }] of Object.entries(refused)) {
      it(`hold for ${what}: 413, which names the limit, and nothing is kept`, async () => {
        const { status, body } = await uploads().send(files, { fields });
        expect(status).to.equal(413);
        expect(body.error).to.include({ name: "PayloadTooLargeError", code: "PLINTH_UPLOAD_TOO_LARGE" });
        expect(body.error.message).to.include(names);
        await isEmpty();
      });
    }

    it("are kept before a body is read that says how large it is", async () => {
      const answer = await sendRaw(`Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9999999999`, "");
      expect(answer)
        .to.match(/^HTTP\/1.1 413 /)
        .and.include("totalSizeLimit");
      await isEmpty();
    });

    const part =
      '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';

    it("and bodies without an end or a boundary: 400, and nothing is kept", async () => {
      const endless = `${part}text`;
      const multipart = "Content-Type: multipart/form-data";
      for (const headers of [`${multipart}; boundary=x`, `${multipart}; boundary=other`, multipart]) {
        const answer = await sendRaw(`${headers}\r\nContent-Length: ${endless.length}`, endless);
        expect(answer, headers)
          .to.match(/^HTTP\/1.1 400 /)
          .and.match(/PLINTH_UPLOAD_(MALFORMED|NO_FILES)/);
      }
      await isEmpty();
    });

    it("and a connection that is cut: nothing is kept, and the server goes on", async () => {
      const body = `${part}${"y".repeat(800)}\r\n--x--\r\n`;
      const headers = `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length}`;
      for (const cutAfter of [20, part.length, part.length + 400]) await sendRaw(headers, body, cutAfter);
      await isEmpty();
    });

    it("and a request without a file: 400", async () => {
      const answers = [
        await uploads().send([]),
        await uploads().send([{ name: "a.txt", content: "" }]),
        await uploads().send([{ name: "a.txt", content: "x", field: "file" }]),
        await uploads().ask("POST", "/api/upload", { body: { files: "x" } }),
      ];
      for (const { body } of answers) {
        expect(body.error).to.include({ status: 400, message: "Files are empty", code: "PLINTH_UPLOAD_NO_FILES" });
      }
      await isEmpty();
    });
  });
});
