/** The one list of rooms of the page; it is asked for once a screen that shows it has come. */

import { RoomList } from "../client/room_list";
import { session } from "../state";

export const roomList = new RoomList(session);
